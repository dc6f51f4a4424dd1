// SPDX-License-Identifier: Apache-2.0

import Attacca

// Changes of the queue, each with the edit of the order of playing that it means.
extension ServedPlayer {
  /// More songs than this are put into a random order as a whole.
  private static let few = 32

  /// Carries out edits that name what is there.
  func edit(_ note: (inout PlaylistEdits) -> Void) {
    do throws(PlaylistError) {
      try playlist.edit(note)
    } catch {
      // Nobody but this thread edits the list.
      preconditionFailure("the order of playing is not the queue's: \(error)")
    }
  }

  /// Puts songs in front of a position.
  ///
  /// - Returns: Their ids.
  @discardableResult
  func insert(
    _ songs: [(song: Song, item: PlaylistItem)], at position: Int
  ) throws(CommandError) -> [Int] {
    guard !songs.isEmpty else { return [] }
    guard queue.count + songs.count <= PlayQueue.most else { throw .tooLarge }
    let isBehindAll = position == queue.count
    let ids = queue.insert(songs, at: position)
    let items = songs.map(\.item)
    if modes.isRandom {
      insertRandomly(items)
    } else {
      playlist.insert(contentsOf: items, at: position)
    }
    commit()
    // To MPD it is put in at the end, and then moved.
    if !isBehindAll { commit() }
    return ids
  }

  /// Puts items anywhere among those that are still to be played and have no priority.
  private func insertRandomly(_ items: [PlaylistItem]) {
    let all = playlist.items
    let heard = player.asked.flatMap { all.index(of: $0.item.id) }.map { $0 + 1 } ?? 0
    let first = all[heard...].firstIndex { priority(of: $0.id) == 0 } ?? all.count
    guard items.count <= Self.few else {
      let rest = (Array(all[first...]) + items).shuffled(using: &random)
      order(Array(all[..<first]) + rest)
      return
    }
    for item in items {
      let index = Int.random(in: first...playlist.count, using: &random)
      playlist.insert(item, at: index)
      if let id = queue.id(of: item.id) { queue.note(.place(UInt32(id), orderedAt: index)) }
    }
  }

  /// Has the order of playing be another one.
  private func order(_ items: [PlaylistItem]) {
    playlist.replaceAll(with: items)
    guard modes.isRandom else { return }
    queue.note(.order(items.map { UInt32(queue.id(of: $0.id) ?? 0) }))
  }

  private func priority(of item: PlaylistItem.ID) -> Int {
    queue.position(of: item).map { queue[$0].priority } ?? 0
  }

  /// Takes out the songs at positions; a current one gives way to the one behind it, paused to none.
  func remove(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let current = player.asked?.item.id
    let removed = queue.remove(range)
    let identities = Set(removed.map(\.item.id))
    let losesCurrent = current.map(identities.contains) ?? false
    if losesCurrent, !player.isPlaying {
      let items = playlist.items
      let behind = current.flatMap { items.index(of: $0) }
        .flatMap { index in items[index...].first { !identities.contains($0.id) } }
      stop()
      stoppedID = behind.flatMap { queue.id(of: $0.id) }
    }
    if queue.count == 0 {
      playlist.clear()
    } else if !modes.isRandom {
      playlist.remove(range)
    } else if identities.count > Self.few {
      playlist.replaceAll(with: playlist.items.filter { !identities.contains($0.id) })
    } else {
      // Those that a stop has left out of another order are gone.
      let left = identities.filter { playlist.index(of: $0) != nil }
      edit { edits in for id in left { edits.remove(id) } }
    }
    if losesCurrent { settle(.jump) }
    commit()
  }

  /// Takes out all songs, and stops.
  func clear() {
    stop()
    stoppedID = nil
    guard queue.count > 0 else { return commit() }
    _ = queue.remove(0..<queue.count)
    playlist.clear()
    commit()
  }

  /// Moves songs so that the first of them is at `destination` afterwards.
  func move(_ range: Range<Int>, to destination: Int) {
    guard !range.isEmpty, range.lowerBound != destination else { return }
    queue.move(range, to: destination)
    follow(range, destination)
    commit()
  }

  private func follow(_ range: Range<Int>, _ destination: Int) {
    guard !modes.isRandom else { return }
    guard range.count == 1 else { return reorder() }
    playlist.move(from: range.lowerBound, to: destination)
  }

  func swap(_ first: Int, _ second: Int) {
    guard first != second else { return }
    let (a, b) = (queue[first].item.id, queue[second].item.id)
    queue.swap(first, second)
    if !modes.isRandom {
      let (front, behind) = first < second ? (a, b) : (b, a)
      let (low, high) = (min(first, second), max(first, second))
      edit { edits in
        edits.move(behind, to: .before(front))
        if high > low + 1 { edits.move(front, to: .after(queueItem(before: high))) }
      }
    }
    commit()
  }

  /// The item in front of a position of the queue as it is now.
  private func queueItem(before position: Int) -> PlaylistItem.ID { queue[position - 1].item.id }

  func shuffle(_ range: Range<Int>) {
    guard range.count > 1 else { return }
    queue.shuffle(range, using: &random)
    if !modes.isRandom { reorder() }
    commit()
  }

  /// Sets the priority of songs: in a random order the higher ones come first of those that are still to be played.
  func setPriority(_ priority: Int, at positions: some Collection<Int>) {
    for position in positions { queue.setPriority(priority, at: position) }
    if modes.isRandom {
      let all = playlist.items
      let heard = player.asked.flatMap { all.index(of: $0.item.id) }.map { $0 + 1 } ?? 0
      let rest = all[heard...].enumerated().map { (priority: self.priority(of: $1.id), $0, $1) }
        .sorted { ($1.priority, $0.1) < ($0.priority, $1.1) }
      order(Array(all[..<heard]) + rest.map(\.2))
    }
    commit()
  }

  /// Has the order of playing be the queue's, or a random one with the current song in front.
  func reorder() {
    var items = queue.slots.map(\.item)
    guard modes.isRandom else {
      order(items)
      return
    }
    let current = player.asked?.item.id
    items.shuffle(using: &random)
    let ranked = items.enumerated().map { (rank: rank(of: $1.id, current), $0, $1) }
      .sorted { ($1.rank, $0.1) < ($0.rank, $1.1) }
    order(ranked.map(\.2))
  }

  private func rank(of id: PlaylistItem.ID, _ current: PlaylistItem.ID?) -> Int {
    id == current ? .max : priority(of: id)
  }

  /// Puts another song in the place of one, as for another part of it.
  func replace(at position: Int, with song: Song, item: PlaylistItem) {
    let old = queue[position].item.id
    queue.replace(at: position, with: song, item: item)
    edit { edits in edits.replace(old, with: item) }
    commit()
  }

  /// Tells clients more of songs that are in the queue, by their URIs.
  func update(_ songs: [String: Song]) {
    var isChanged = false
    for position in 0..<queue.count {
      let old = queue[position].song
      guard let new = songs[old.uri]?.with(range: old.range), new != old else { continue }
      queue.update(at: position, with: new)
      isChanged = true
    }
    if isChanged { commit() }
  }
}
