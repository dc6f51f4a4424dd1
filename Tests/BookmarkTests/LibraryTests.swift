// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks
import Foundation
import MediaTime
import SampleBuffers
import TestSeeds
import Testing

/// Books that are listened to in many sittings, each a program of its own; `Benchmarks/Sources/Library` does so for a
/// month.
@Suite struct LibraryTests {
  private static let format = AudioFormat(sampleRate: 8_000, layout: .mono)
  /// Frames of the files of each book.
  private static let lengths = [16_001, 24_123, 9_999]
  private static let frameCount = lengths.reduce(0, +)

  private enum End: CaseIterable { case quit, kill, sleep }

  private let folder: BookmarkFolder

  init() throws { folder = try BookmarkFolder() }

  /// A book whose frames count from 1.
  private func items(_ book: Int) -> [PlaylistItem] {
    Self.lengths.indices.map { file in
      let first = Self.lengths[..<file].reduce(1, +)
      return PlaylistItem(
        GeneratorSource(
          name: "net://\(book)/\(file)", format: Self.format,
          frameCount: Int64(Self.lengths[file])
        ) { samples, frame in
          for i in samples.indices { samples[i] = Float(first + Int(frame) + i) }
        })
    }
  }

  /// Frames of the book before what the store says was heard last; nil for a book that it does not have.
  private func kept(_ items: [PlaylistItem], _ store: BookmarkStore) throws -> Int? {
    var last: (frame: Int, heardAt: WallTime)?
    for (file, item) in items.enumerated() {
      guard let bookmark = try store.bookmark(of: item) else { continue }
      let frame =
        bookmark.isFinished
        ? Self.lengths[file] : Int(RationalTime(bookmark.position).frames(at: 8_000))
      if last.map({ $0.heardAt <= bookmark.heardAt }) ?? true {
        last = (Self.lengths[..<file].reduce(frame, +), bookmark.heardAt)
      }
    }
    return last?.frame
  }

  /// Plays up to `frames` frames from `begin` on, and ends.
  ///
  /// - Returns: the frames that were heard.
  private func listen(to book: Int, _ frames: Int, from begin: Int, until end: End) throws -> Int {
    let (renderer, items) = (OfflineRenderer(format: Self.format), items(book))
    let player = SampleBufferPlayer(renderer: renderer, fade: .none)
    player.playlist.append(contentsOf: items)
    let store = try folder.store()
    let file = Self.lengths.indices.last { Self.lengths[..<$0].reduce(0, +) <= begin }!
    let frame = begin - Self.lengths[..<file].reduce(0, +)
    player.jump(to: file, offset: MediaTime(value: Int64(frame), timescale: 8_000))
    let keeper = BookmarkKeeper(player: player, store: store)
    if end == .sleep { player.sleepTimer = SleepTimer(.item) }
    player.play()
    var heard: [Float] = []
    var samples = [Float](repeating: 0, count: 4_000)
    #expect(
      until {
        let wanted = min(samples.count, frames - heard.count)
        let count = samples.withUnsafeMutableBufferPointer {
          renderer.render(frames: wanted, into: $0.baseAddress!)
        }
        heard += samples[..<count]
        return heard.count == frames || player.timeControlStatus == .paused
      })
    #expect(heard == (begin..<(begin + heard.count)).map { Float($0 + 1) })
    let place = begin + heard.count
    guard end != .kill else {
      // What was written within a second stays.
      #expect(
        try until { (try kept(items, store) ?? 0) >= place - 7_200 || heard.count < 7_200 })
      return heard.count
    }
    #expect(
      until {
        guard let index = player.currentItemIndex else { return place == Self.frameCount }
        let frame = Int(RationalTime(player.currentTime).frames(at: 8_000))
        return Self.lengths[..<index].reduce(frame, +) == place
      })
    // That the last item was heard to its end is told a moment after nothing is current.
    #expect(try place < Self.frameCount || until { try kept(items, store) == place })
    keeper.close()
    return heard.count
  }

  @Test func `sittings go on at the frame at which the one before ended`() throws {
    var random = SplitMix64()
    print("a library, SEED=\(random.seed)")
    var left = [Int: Int]()
    for _ in 0..<60 {
      let book = Int.random(in: 0..<6, using: &random)
      let end = End.allCases.randomElement(using: &random)!
      let begin = left[book] ?? 0
      let frames = Int.random(in: 1...20_000, using: &random)
      let heard = try listen(to: book, frames, from: begin, until: end)
      let store = try folder.store()
      let kept = try kept(items(book), store) ?? 0
      if end == .kill {
        #expect(kept <= begin + heard && kept >= min(begin, begin + heard - 7_200))
      } else {
        #expect(kept == begin + heard)
      }
      left[book] = kept
      if kept == Self.frameCount {
        for item in items(book) { _ = try store.removeBookmarks(of: item.bytePath) }
        left[book] = nil
      }
    }
  }
}
