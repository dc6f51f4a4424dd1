// SPDX-License-Identifier: Apache-2.0

/// Readers of a file that is loaded, and their places in it, in bytes.
struct FetchReaders {
  struct Reader {
    var place: Int64 = 0
    var isBlocked = false
    /// It has been asked for frames: it is not only open.
    var isPlaying = false
  }

  /// By their numbers, of which a later one has the higher.
  private(set) var all: [Int: Reader] = [:]
  private var last = 0

  /// Another reader, at the start.
  mutating func add() -> Int {
    last += 1
    all[last] = Reader()
    return last
  }

  mutating func remove(_ id: Int) { all[id] = nil }

  /// A reader reads at `place`, and waits there if nothing is there.
  mutating func read(_ id: Int, at place: Int64, isBlocked: Bool) {
    all[id]?.place = place
    all[id]?.isBlocked = isBlocked
  }

  mutating func play(_ id: Int) { all[id]?.isPlaying = true }

  /// The one that came last counts: another one plays what is to be left.
  var newest: Reader? { all.max { $0.key < $1.key }?.value }

  /// The newest of those that wait for what is not `loaded`: it may be there before one looks again.
  func newestBlocked(without loaded: LoadedRanges) -> Reader? {
    all.filter { $0.value.isBlocked && loaded.run(from: $0.value.place) == 0 }
      .max { $0.key < $1.key }?.value
  }
}
