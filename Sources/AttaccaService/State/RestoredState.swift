// SPDX-License-Identifier: Apache-2.0

/// State of an earlier process: the one that was written as a whole, and the changes behind it.
struct RestoredState: Sendable {
  var songs: [KeptSong] = []
  /// All but the songs.
  var state = SavedState()
  /// Number of the journal's entries in it.
  private(set) var entries = 0

  /// The greatest number that is taken up: there are as many behind it.
  private static let most = Int(Int32.max)

  init() {}

  /// The state that a database and the journal in its folder have.
  init(_ store: StateStore, folder: String) throws(StoreError) {
    self = try store.read()
    for entry in StateJournal.entries(in: folder, behind: state.sequence) { apply(entry) }
    dropImpossible()
  }

  /// Leaves out what no queue has had: of songs with one id all but the first, and numbers that leave none for others.
  mutating func dropImpossible() {
    var known: Set<Int> = []
    songs.removeAll { !(1...Self.most).contains($0.id) || !known.insert($0.id).inserted }
    state.version = min(state.version, UInt32(Self.most))
    state.sequence = min(state.sequence, UInt64(Int64.max / 2))
  }

  /// Takes an entry of the journal that is the next one.
  mutating func apply(_ entry: JournalEntry) {
    for change in entry.changes { apply(change) }
    (state.version, state.sequence) = (entry.version, entry.sequence)
    entries += 1
  }

  /// Takes a change; one that the queue does not permit, which is none of this state, is left out.
  private mutating func apply(_ change: StateChange) {
    let count = songs.count
    switch change {
    case .insert(let new, let position):
      guard position <= count else { return }
      songs.insert(contentsOf: new, at: position)
    case .remove(let range):
      guard range.upperBound <= count else { return }
      if !state.order.isEmpty {
        let removed = Set(songs[range].map { UInt32($0.id) })
        state.order.removeAll(where: removed.contains)
      }
      songs.removeSubrange(range)
    case .move(let range, let destination):
      guard range.upperBound <= count, destination + range.count <= count else { return }
      let moved = Array(songs[range])
      songs.removeSubrange(range)
      songs.insert(contentsOf: moved, at: destination)
    case .swap(let first, let second):
      guard max(first, second) < count else { return }
      songs.swapAt(first, second)
    case .arrange(let ids, let position):
      guard position + ids.count <= count else { return }
      let range = position..<position + ids.count
      let known = Dictionary(songs[range].map { (UInt32($0.id), $0) }) { first, _ in first }
      let arranged = ids.compactMap { known[$0] }
      guard arranged.count == ids.count else { return }
      songs.replaceSubrange(range, with: arranged)
    case .priority(let priority, let position):
      guard position < count else { return }
      songs[position].priority = priority
    case .replace(let song, let position):
      guard position < count else { return }
      songs[position].song = song
    case .order(let ids): state.order = ids
    case .place(let id, let index):
      state.order.removeAll { $0 == id }
      state.order.insert(id, at: min(index, state.order.count))
    case .modes(let modes): state.modes = modes
    case .volume(let volume): state.volume = volume
    case .enabled(let isEnabled): state.isEnabled = isEnabled
    case .playing(let place): state.place = place
    case .sleep(let sleep): state.sleep = sleep
    }
  }
}
