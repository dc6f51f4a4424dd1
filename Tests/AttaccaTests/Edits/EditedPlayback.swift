// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Glibc
@testable import PulseDevice

/// A player on the offline renderer beside the model that says what it must play.
final class EditedPlayback {
  /// The first thing in which they differed.
  struct Difference: Error, CustomStringConvertible {
    let description: String
    init(_ what: String) { description = what }
  }

  let renderer = OfflineRenderer(
    format: AudioFormat(sampleRate: RampSource.rate, layout: .mono))
  let player: SampleBufferPlayer
  private(set) var model = EditModel()
  private var known: [RampItem: PlaylistItem] = [:]
  private var lastSerialNumber = 0

  /// How long the player may take for one operation, in nanoseconds.
  private let timeout: UInt64

  init(timeout: Double = 10) {
    self.timeout = UInt64(timeout * 1e9)
    let decoder = DecoderWatchdog { (path: String) throws(SoundFileError) in
      try RampSource(path: path)
    }
    player = SampleBufferPlayer(renderer: renderer, fade: .none, decoder: decoder)
  }

  /// The player's item for one of the model.
  func item(_ item: RampItem) -> PlaylistItem {
    if let known = known[item] { return known }
    let new = PlaylistItem(path: item.path)
    known[item] = new
    return new
  }

  static func time(_ frames: Int) -> MediaTime {
    MediaTime(value: Int64(frames), timescale: Int32(RampSource.rate))
  }

  /// Takes `model` for what the player has been asked for meanwhile, with `items`, and compares.
  func take(_ model: EditModel, _ items: PlaylistItems) throws(Difference) {
    self.model = model
    for item in items { known[RampItem(item)] = item }
    try settle()
  }

  // MARK: Agreement

  /// Waits until the player has followed, and compares.
  func settle() throws(Difference) {
    model.settle()
    let deadline = HostTime.now() + timeout
    while !isSettled {
      guard HostTime.now() < deadline else {
        throw Difference("the player is at \(description), not \(place)")
      }
      sched_yield()
    }
    guard player.playlist.items.elementsEqual(model.items.map(item)) else {
      throw Difference("the list is \(player.playlist.items.map(\.path)), not \(model.items)")
    }
  }

  private var description: String {
    let serializer = player.serializer
    return serializer.queue.sync {
      let splice = (serializer.state.preparedSplice ?? serializer.state.spliceInFlight).map {
        "splice from \(String(describing: $0.joint)), \($0.content.waiting) of \($0.needed)"
      }
      let items = player.playlist.items
      let name = { (occurrence: Occurrence) in
        "\(items.first { $0.id == occurrence.id }?.path ?? "gone") \(occurrence.pass)"
      }
      let cursor =
        player.playlist.queue.snapshot.current.map(name)
        ?? "\(player.playlist.queue.snapshot.cursor)"
      let spans = serializer.state.timeline.spans.map { name($0.range.occurrence) }
      return """
        \(cursor), spans \(spans), \(splice ?? "quiet"), \(serializer.state.flight.then.follows), \
        exhausted \(serializer.state.playing?.isExhausted ?? true), \
        pieces \(serializer.state.playing?.pieces.count ?? 0), \
        decoding \(serializer.state.playing?.isDecoding ?? false), \
        busy \(serializer.decoders.playing.isBusy) \(serializer.decoders.preparing.isBusy), \
        rate \(serializer.synchronizer.rate), finished \(serializer.state.timeline.hasFinishedEnqueuing), \
        ready \(renderer.isReadyForMoreMediaData), \
        begun \((serializer.state.preparedSplice?.content ?? serializer.state.playing)?.begun ?? [])
        """
    }
  }

  private var place: String { "\(model.place), playing \(model.isPlaying)" }

  private var isSettled: Bool {
    guard player.serializer.isSettled else { return false }
    return switch (player.playlist.queue.snapshot.cursor, model.place) {
    case (.stopped, .stopped): true
    case (.ended(let a), .ended(let b)): a == b
    case (.at(let a), .at(let b, _)): a.id == item(b).id
    default: false
    }
  }

  /// Pulls `count` frames from both.
  func pull(_ count: Int) throws {
    let expected = model.pull(count)
    var heard = [Float](repeating: .nan, count: count)
    var done = 0
    let deadline = HostTime.now() + timeout
    while done < expected.count {
      done += heard.withUnsafeMutableBufferPointer {
        renderer.render(frames: expected.count - done, into: $0.baseAddress! + done)
      }
      guard HostTime.now() < deadline else {
        throw Difference(
          "\(done) of \(expected.count) frames came, then none; now \(place); \(description)")
      }
      if done < expected.count { sched_yield() }
    }
    if let i = expected.indices.first(where: { heard[$0] != expected[$0] }) {
      throw Difference(
        "frame \(i) of \(expected.count) is \(name(heard[i])), not \(name(expected[i]))")
    }
    try settle()
    guard !model.isHeard, expected.count < count else { return }
    let more = heard.withUnsafeMutableBufferPointer {
      renderer.render(frames: count - done, into: $0.baseAddress!)
    }
    if more > 0 { throw Difference("\(more) frames more, from \(name(heard[0])); now \(place)") }
  }

  /// As "item 3, frame 17".
  private func name(_ sample: Float) -> String {
    let number = Int(sample)
    return "item \(number / RampSource.longest), frame \(number % RampSource.longest)"
  }

  /// Operations take effect in the order of the calls of one thread.
  private func check(_ edit: Edit) throws {
    guard edit.serialNumber > lastSerialNumber else {
      throw Difference("serial number \(edit.serialNumber) after \(lastSerialNumber)")
    }
    lastSerialNumber = edit.serialNumber
  }

  // MARK: Operations

  /// Does `operation` to both.
  func apply(_ operation: EditOperation) throws {
    if case .pull(let count) = operation { return try pull(count) }
    if case .flush(let after) = operation {
      // What was flushed is refilled: the model has nothing to do.
      let time = player.synchronizer.currentTime() + Self.time(after ?? 0)
      renderer.flush(fromSourceTime: time) { _ in }
    }
    if let edit = try perform(operation) { try check(edit) }
    try settle()
  }

  private func perform(_ operation: EditOperation) throws -> Edit? {
    let playlist = player.playlist
    let count = model.items.count
    switch operation {
    case .append(let new):
      model.insert(new, at: count)
      if new.count == 1 { return playlist.append(item(new[0])) }
      return playlist.append(contentsOf: new.map(item))
    case .insert(let new, let index):
      model.insert(new, at: index % (count + 1))
      if new.count == 1 { return playlist.insert(item(new[0]), at: index % (count + 1)) }
      return playlist.insert(contentsOf: new.map(item), at: index % (count + 1))
    case .replaceAll(var new, let keepsCurrent):
      if keepsCurrent, let current = model.current { new.insert(current, at: new.count / 2) }
      model.replaceAll(new)
      return playlist.replaceAll(with: new.map(item))
    case .single(let choice):
      guard let change = choice.change(of: model.items) else { return nil }
      return try perform(change)
    case .several(let choices):
      var (items, changes, edits) = (model.items, [ItemChange](), PlaylistEdits())
      for choice in choices {
        guard let change = choice.change(of: items) else { continue }
        _ = change.apply(to: &items)
        change.note(in: &edits, item)
        changes.append(change)
      }
      model.edit(changes)
      return try playlist.apply(edits)
    case .clear:
      model.replaceAll([])
      return playlist.clear()
    case .shuffle(let seed):
      model.shuffle(seed)
      return playlist.shuffle(seed: seed)
    case .unshuffle:
      model.unshuffle()
      return playlist.unshuffle()
    default:
      return try count > 0 ? performOnItems(operation, count) : performOnPlace(operation)
    }
  }

  /// One edit by identity, through the playlist's own operation.
  private func perform(_ change: ItemChange) throws -> Edit? {
    let playlist = player.playlist
    let items = model.items
    switch change {
    case .insert(let new, let place):
      model.insert(new, at: place.index(in: items)!)
      if new.count == 1 { return try playlist.insert(item(new[0]), at: place.place(item)) }
      return try playlist.insert(contentsOf: new.map(item), at: place.place(item))
    case .remove(let old):
      let index = items.firstIndex(of: old)!
      model.remove(index..<(index + 1))
      return try playlist.remove(item(old).id)
    case .move(let moved, let place):
      let source = items.firstIndex(of: moved)!
      var after = items
      _ = change.apply(to: &after)
      model.move(source, after.firstIndex(of: moved)!)
      return try playlist.move(item(moved).id, to: place.place(item))
    case .replace(let old, let new):
      model.replace(items.firstIndex(of: old)!, new)
      return try playlist.replace(item(old).id, with: item(new))
    }
  }

  private func performOnItems(_ operation: EditOperation, _ count: Int) throws -> Edit? {
    let playlist = player.playlist
    switch operation {
    case .insertAfter(let index, let new):
      let before = item(model.items[index % count]).id
      model.insert([new], at: index % count + 1)
      return try playlist.insert(item(new), after: before)
    case .remove(let index):
      model.remove(index % count..<(index % count + 1))
      return playlist.remove(at: index % count)
    case .removeIdentity(let index):
      let id = item(model.items[index % count]).id
      model.remove(index % count..<(index % count + 1))
      return try playlist.remove(id)
    case .removeRange(let index, let length):
      let range = index % count..<min(index % count + length, count)
      model.remove(range)
      return playlist.remove(range)
    case .move(let source, let destination):
      model.move(source % count, destination % count)
      return playlist.move(from: source % count, to: destination % count)
    case .replace(let index, let new):
      model.replace(index % count, new)
      return playlist.replace(at: index % count, with: item(new))
    case .jump(let index, let offset):
      let target = model.items[index % count]
      model.jump(target, frame: offset)
      if index % 2 == 0 { return player.jump(to: index % count, offset: Self.time(offset)) }
      return try player.seek(to: item(target).id, offset: Self.time(offset))
    default:
      return try performOnPlace(operation)
    }
  }

  private func performOnPlace(_ operation: EditOperation) throws -> Edit? {
    switch operation {
    case .repeats(let mode):
      model.setRepeatMode(mode)
      return player.setRepeatMode(mode)
    case .next:
      model.skip()
      return player.next()
    case .previous:
      model.goBack()
      return player.previous()
    case .seek(let frame):
      model.seek(frame)
      return player.seek(to: Self.time(frame))
    case .seekBy(let distance):
      model.seekBy(distance)
      return player.seek(by: Self.time(distance))
    case .loop(let from, let to):
      model.setLoop(from, to)
      return player.setLoop(from: Self.time(from), to: Self.time(to))
    case .endLoop:
      model.endLoop()
      return player.endLoop()
    case .stopAfterCurrent(let stops):
      model.stopAfterCurrent(stops)
      return player.stopAfterCurrent(stops)
    case .play:
      model.play()
      return player.play()
    case .pause:
      model.pause()
      return player.pause()
    case .toggle:
      model.toggle()
      return player.togglePlayPause()
    case .stop:
      model.stop()
      return player.stop()
    default:
      return nil
    }
  }
}
