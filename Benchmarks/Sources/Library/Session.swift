// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks
import Glibc
import MediaTime
import Measures

/// One listening to a book, from a start of the program to its end, whatever ends it.
struct Session {
  /// The end of a session.
  enum End: CaseIterable {
    /// The program is closed.
    case quit
    /// The program is gone without a word: nothing is written at the end.
    case kill
    /// The sleep timer ends it behind the item.
    case sleep
  }

  private let book: Int
  private let items: [PlaylistItem]
  private let renderer = OfflineRenderer(
    format: AudioFormat(sampleRate: Books.rate, layout: .mono))
  private let player: SampleBufferPlayer
  private let store: BookmarkStore
  private var path: BytePath { BytePath("/library/\(book)") }

  init(_ book: Int, of books: Books) throws {
    self.book = book
    items = books.items(book)
    player = SampleBufferPlayer(renderer: renderer, fade: .none)
    player.playlist.append(contentsOf: items)
    renderer.audioTimePitchAlgorithm = .varispeed
    store = try BookmarkStore(path: BytePath(books.store))
  }

  /// Listens to so many frames, from where it was left.
  ///
  /// `left` is where the book was left, nil where it has not been begun, `remembered` the speed at which it was, in
  /// quarters, and `speed` another one; nil for that.
  ///
  /// - Returns: Where the book is left, and the frames that were heard.
  /// - Throws: `Wrong` at what is not as it should be.
  func listen(
    frames: Int, from left: Place?, remembered: Int, speed: Int?, until end: End
  ) throws -> (place: Place, heard: Int) {
    let known = try store.settings(ofBookAt: path)?.rate ?? 1
    guard known == Double(remembered) / 4 else {
      throw Wrong("book \(book): remembered at \(known), left at \(Double(remembered) / 4)")
    }
    let begin = try resume(left)
    let quarters = speed ?? remembered
    player.defaultRate = Double(quarters) / 4
    let keeper = BookmarkKeeper(player: player, store: store)
    let speeds = SpeedKeeper(
      player: player, store: store, per: .book(path), asked: speed.map { Double($0) / 4 })
    // Who pulls is faster than any listener: a timer that is set behind that may come too late.
    if end == .sleep { player.sleepTimer = SleepTimer(.item) }
    player.play()
    var heard = HeardBook(book, from: begin, speed: quarters)
    try play(frames, &heard)
    let place: Place
    do {
      place = try check(heard)
    } catch {
      throw Wrong("\(error); from \(begin), \(quarters)/4, \(heard.count) frames, until \(end)")
    }
    // What another thread writes a moment later was heard by now: all of a book that has ended.
    let frames = place.frames(of: book)
    let least = place.file == Books.files ? frames : frames - Books.rate
    func state() -> String {
      let kept: String
      do { kept = try self.kept()?.description ?? "nowhere" } catch { kept = "\(error)" }
      return "kept at \(kept), left at \(place), \(told())"
    }
    try wait("kept", or: state) { try kept().map { $0.frames(of: book) >= least } ?? (least <= 0) }
    let most = frames + (quarters == 4 ? 0 : 3)
    if let kept = try kept(), kept.file >= begin.file, kept.frames(of: book) > most {
      throw Wrong("book \(book): kept at \(kept), heard up to \(place)")
    }
    guard end != .kill else {
      speeds.close()
      var last = place
      last.least = begin.frames(of: book)
      return (last, heard.count)
    }
    keeper.close()
    speeds.close()
    return (place, heard.count)
  }

  /// Listens to what cannot be opened, which leaves the book where it was.
  func fail() throws {
    let before = try kept()
    // A book that was finished begins anew, and has no place before it is heard.
    guard before?.file != Books.files else { return }
    _ = try resume(before)
    let keeper = BookmarkKeeper(player: player, store: store)
    player.play()
    try wait("the end of what cannot be opened") { player.currentItem == nil }
    keeper.close()
    let after = try kept()
    guard after == before else {
      let (now, then) = (after?.description ?? "none", before?.description ?? "none")
      throw Wrong("book \(book): lost, and at \(now) then, left at \(then)")
    }
  }

  private func play(_ frames: Int, _ heard: inout HeardBook) throws {
    var memory = [Float](repeating: 0, count: 8_000)
    let limit = Footprint.seconds() + 60
    while heard.count < frames {
      let wanted = min(frames - heard.count, memory.count)
      let count = memory.withUnsafeMutableBufferPointer {
        renderer.render(frames: wanted, into: $0.baseAddress!)
      }
      try heard.hear(memory[..<count])
      guard count == 0 else { continue }
      // Asleep, or behind the last frame, of which the device may have heard none at all; or what is read is on its way.
      if player.timeControlStatus == .paused { return }
      guard Footprint.seconds() < limit else {
        throw Wrong(
          "book \(book): nothing for a minute behind \(heard.place), after \(heard.count) frames; "
            + "\(told()), \(player.timeControlStatus)")
      }
      usleep(100)
    }
  }

  /// Where playing is, which the player has to say, too.
  private func check(_ heard: HeardBook) throws -> Place {
    var place = heard.place
    // At another speed a frame of the device is more than one of the file, and the last of them may be a part of one.
    let most = player.defaultRate == 1 ? 0 : 3
    // It is told a moment after it is heard.
    try wait("the player at \(place)", or: told) {
      var said = Place(file: Books.files, frame: 0)
      if let index = player.currentItemIndex {
        let frame = Int(RationalTime(player.currentTime).frames(at: Books.rate))
        said = Place(book, file: index, quarters: 4 * frame)
      }
      guard abs(said.frames(of: book) - place.frames(of: book)) <= most else { return false }
      place = said
      return true
    }
    return place
  }

  /// Where the store has the book by now; nil where it has not.
  private func kept() throws -> Place? {
    var newest: (file: Int, bookmark: Bookmark)?
    for (file, item) in items.enumerated() {
      guard let bookmark = try store.bookmark(of: item) else { continue }
      if newest.map({ $0.bookmark.heardAt <= bookmark.heardAt }) ?? true {
        newest = (file, bookmark)
      }
    }
    return newest.map { newest in
      let frame = Int(RationalTime(newest.bookmark.position).frames(at: Books.rate))
      return newest.bookmark.isFinished
        ? Place(file: newest.file + 1, frame: 0)
        : Place(book, file: newest.file, quarters: 4 * frame)
    }
  }

  private func resume(_ left: Place?) throws -> Place {
    let found = try kept()
    let isThere = left.map { left in
      let most = left.frames(of: book)
      // At another speed a frame of the device is more than one of the file.
      return found.map { ((left.least ?? most) - 3...most + 3).contains($0.frames(of: book)) }
    }
    guard (left == nil) == (found == nil), isThere.map({ $0 == true }) ?? true else {
      let (now, before) = (found?.description ?? "none", left?.description ?? "none")
      throw Wrong("book \(book): at \(now), left at \(before)")
    }
    var place = found ?? .start
    if place.file == Books.files {
      // What is listened to once more is left somewhere for the first time.
      for item in items { _ = try store.removeBookmarks(of: item.bytePath) }
      place = .start
    }
    player.jump(
      to: place.file, offset: MediaTime(value: Int64(place.frame), timescale: Int32(Books.rate)))
    return place
  }

  /// Where the player says that it is.
  private func told() -> String {
    let index = player.currentItemIndex.map { "part \($0 + 1)" } ?? "no part"
    return "\(index), \(player.currentTime), rate \(player.rate)"
  }

  private func wait(
    _ what: String, or state: () -> String = { "" }, _ holds: () throws -> Bool
  ) throws {
    let limit = Footprint.seconds() + 30
    while try !holds() {
      guard Footprint.seconds() < limit else {
        throw Wrong("book \(book): \(what) within 30 s; \(state())")
      }
      usleep(500)
    }
  }
}
