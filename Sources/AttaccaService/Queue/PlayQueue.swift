// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The queue as clients see it: songs in order, each with an id, and versions by which they learn what has changed.
///
/// A pure value. The engine's playlist has the same items in the order in which they are played.
struct PlayQueue: Sendable {
  /// Songs, at most.
  static let most = 1_000_000

  private(set) var slots: [QueueSlot] = []
  /// The ids of the slots, close together: an id is looked for among a million in half a millisecond.
  private var ids: [UInt32] = []
  private(set) var version: UInt32 = 1
  private var lastID: UInt32 = 0
  private var items: [PlaylistItem.ID: UInt32] = [:]
  /// What has been done to it and taken by nobody.
  private var noted: [StateChange] = []

  var count: Int { slots.count }
  subscript(position: Int) -> QueueSlot { slots[position] }

  /// An empty queue, whose versions go on behind those that clients know of an earlier process.
  init(version: UInt32 = 1, lastID: Int = 0) {
    (self.version, self.lastID) = (version, UInt32(clamping: lastID))
  }

  // MARK: Looking

  func position(of id: Int) -> Int? {
    UInt32(exactly: id).flatMap { ids.firstIndex(of: $0) }
  }

  func position(of item: PlaylistItem.ID) -> Int? { id(of: item).flatMap(position(of:)) }

  func id(of item: PlaylistItem.ID) -> Int? { items[item].map { Int($0) } }

  /// The positions that have changed since a version, all of them since one that is not known.
  func changes(since known: UInt32) -> [Int] {
    let isUnknown = known > version
    return slots.indices.filter { isUnknown || slots[$0].version >= known }
  }

  // MARK: Changing

  /// Puts songs in front of a position.
  ///
  /// - Returns: Their ids.
  mutating func insert(_ songs: [(song: Song, item: PlaylistItem)], at position: Int) -> [Int] {
    let new = songs.map { entry in
      // They are not used again: two thousand million are more than a process puts in.
      lastID += 1
      items[entry.item.id] = lastID
      return QueueSlot(id: Int(lastID), song: entry.song, item: entry.item)
    }
    note(.insert(new.map { KeptSong(id: $0.id, song: $0.song) }, at: position))
    slots.insert(contentsOf: new, at: position)
    ids.insert(contentsOf: new.map { UInt32($0.id) }, at: position)
    touch(position..<count)
    return new.map(\.id)
  }

  /// Takes out the songs at positions.
  ///
  /// - Returns: What has been taken out.
  mutating func remove(_ range: Range<Int>) -> [QueueSlot] {
    note(.remove(range))
    // A slice would be a second owner of all slots, which would be copied.
    let removed = Array(slots[range])
    for slot in removed { items[slot.item.id] = nil }
    slots.removeSubrange(range)
    ids.removeSubrange(range)
    touch(range.lowerBound..<count)
    return removed
  }

  /// Takes the songs at positions out and puts them in again, in front of what is then at `destination`.
  mutating func move(_ range: Range<Int>, to destination: Int) {
    note(.move(range, to: destination))
    let moved = Array(slots[range])
    slots.removeSubrange(range)
    slots.insert(contentsOf: moved, at: destination)
    renumber()
    let first = min(range.lowerBound, destination)
    let last = max(range.upperBound, destination + range.count)
    touch(first..<last)
  }

  mutating func swap(_ first: Int, _ second: Int) {
    note(.swap(first, second))
    slots.swapAt(first, second)
    ids.swapAt(first, second)
    touch(first..<first + 1)
    touch(second..<second + 1)
  }

  /// Puts the songs of a range in a random order.
  mutating func shuffle(_ range: Range<Int>, using random: inout some RandomNumberGenerator) {
    var part = Array(slots[range])
    part.shuffle(using: &random)
    slots.replaceSubrange(range, with: part)
    renumber()
    note(.arrange(Array(ids[range]), at: range.lowerBound))
    touch(range)
  }

  private mutating func renumber() { ids = slots.map { UInt32($0.id) } }

  mutating func setPriority(_ priority: Int, at position: Int) {
    guard slots[position].priority != priority else { return }
    note(.priority(priority, at: position))
    slots[position].priority = priority
    touch(position..<position + 1)
  }

  /// Puts another song, and another item, in the place of one, which keeps its id.
  mutating func replace(at position: Int, with song: Song, item: PlaylistItem) {
    note(.replace(song, at: position))
    let old = slots[position]
    items[old.item.id] = nil
    items[item.id] = UInt32(old.id)
    slots[position] = QueueSlot(
      id: old.id, song: song, item: item, priority: old.priority, version: version)
  }

  /// Tells that the song at a position says something else of itself.
  mutating func update(at position: Int, with song: Song) {
    replace(at: position, with: song, item: slots[position].item)
  }

  /// Notes what else is to be kept, in its turn.
  mutating func note(_ change: StateChange) { noted.append(change) }

  /// The changes since they were taken last.
  mutating func takeChanges() -> [StateChange] {
    // Most commands change nothing.
    guard !noted.isEmpty else { return [] }
    defer { noted = [] }
    return noted
  }

  private mutating func touch(_ range: Range<Int>) {
    for position in range { slots[position].version = version }
  }

  /// Ends a change: what comes behind it is another version.
  mutating func commit() {
    version &+= 1
    guard version >= UInt32(Int32.max) else { return }
    version = 1
    for position in slots.indices { slots[position].version = 0 }
  }

  /// Has a queue be what was saved, in which songs have ids already.
  mutating func restore(_ saved: [QueueSlot]) {
    slots = saved
    renumber()
    items = Dictionary(uniqueKeysWithValues: saved.map { ($0.item.id, UInt32($0.id)) })
    lastID = max(lastID, ids.max() ?? 0)
    touch(slots.indices)
    commit()
  }
}
