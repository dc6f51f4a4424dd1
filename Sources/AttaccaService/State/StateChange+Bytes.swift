// SPDX-License-Identifier: Apache-2.0

// Changes as the journal has them: the number of a case, and what belongs to it.
extension StateChange {
  func write(to bytes: inout JournalBytes) {
    switch self {
    case .insert(let songs, let position):
      bytes.number(UInt8(1))
      bytes.count(position)
      bytes.count(songs.count)
      for song in songs {
        bytes.count(song.id)
        bytes.count(song.priority)
        song.song.write(to: &bytes)
      }
    case .remove(let range):
      bytes.number(UInt8(2))
      bytes.range(range)
    case .move(let range, let destination):
      bytes.number(UInt8(3))
      bytes.range(range)
      bytes.count(destination)
    case .swap(let first, let second):
      bytes.number(UInt8(4))
      bytes.range(min(first, second)..<max(first, second))
    case .arrange(let ids, let position):
      bytes.number(UInt8(5))
      bytes.count(position)
      bytes.ids(ids)
    case .priority(let priority, let position):
      bytes.number(UInt8(6))
      bytes.count(priority)
      bytes.count(position)
    case .replace(let song, let position):
      bytes.number(UInt8(7))
      bytes.count(position)
      song.write(to: &bytes)
    case .order(let ids):
      bytes.number(UInt8(8))
      bytes.ids(ids)
    case .place(let id, let index):
      bytes.number(UInt8(9))
      bytes.number(id)
      bytes.count(index)
    case .modes(let modes):
      bytes.number(UInt8(10))
      modes.write(to: &bytes)
    case .volume(let volume):
      bytes.number(UInt8(11))
      bytes.count(volume)
    case .enabled(let isEnabled):
      bytes.number(UInt8(12))
      bytes.number(UInt8(isEnabled ? 1 : 0))
    case .playing(let place):
      bytes.number(UInt8(13))
      bytes.text(place.state)
      bytes.optional(place.id.map { Int64($0) })
      bytes.number(place.nanoseconds)
    case .sleep(let sleep):
      bytes.number(UInt8(14))
      bytes.text(sleep?.text ?? "")
    }
  }

  /// The change that is next; nil where there is none, or one that this version does not know.
  init?(_ reader: inout JournalReader) {
    guard let kind = reader.number(UInt8.self) else { return nil }
    let change: StateChange? =
      switch kind {
      case 1: Self.insertion(&reader)
      case 2: reader.range().map { .remove($0) }
      case 3: Self.both(reader.range(), reader.count()) { .move($0, to: $1) }
      case 4: reader.range().map { .swap($0.lowerBound, $0.upperBound) }
      case 5: Self.both(reader.count(), reader.ids()) { .arrange($1, at: $0) }
      case 6: Self.both(reader.count(), reader.count()) { .priority($0, at: $1) }
      case 7: Self.both(reader.count(), Song(&reader)) { .replace($1, at: $0) }
      case 8: reader.ids().map { .order($0) }
      case 9: Self.both(reader.number(UInt32.self), reader.count()) { .place($0, orderedAt: $1) }
      case 10: PlayModes(&reader).map { .modes($0) }
      case 11: reader.count().map { .volume(min($0, 100)) }
      case 12: reader.number(UInt8.self).map { .enabled($0 != 0) }
      case 13: Self.playing(&reader)
      case 14: reader.text().map { .sleep(KeptSleep(text: $0)) }
      default: nil
      }
    guard let change else { return nil }
    self = change
  }

  private static func both<A, B>(_ a: A?, _ b: B?, _ make: (A, B) -> Self) -> Self? {
    guard let a, let b else { return nil }
    return make(a, b)
  }

  private static func insertion(_ reader: inout JournalReader) -> StateChange? {
    guard let position = reader.count(), let count = reader.count() else { return nil }
    var songs: [KeptSong] = []
    for _ in 0..<count {
      guard let id = reader.count(), let priority = reader.count(), let song = Song(&reader) else {
        return nil
      }
      songs.append(KeptSong(id: id, song: song, priority: priority))
    }
    return .insert(songs, at: position)
  }

  private static func playing(_ reader: inout JournalReader) -> StateChange? {
    guard let state = reader.text(), let id = reader.optional(),
      let nanoseconds = reader.number(Int64.self)
    else { return nil }
    return .playing(
      KeptPlace(state: state, id: id.map { Int($0) }, nanoseconds: max(0, nanoseconds)))
  }
}

extension JournalBytes {
  fileprivate mutating func range(_ range: Range<Int>) {
    count(range.lowerBound)
    count(range.upperBound)
  }
}
