// SPDX-License-Identifier: Apache-2.0

extension DecodeAhead {
  /// The items in a row that yielded no frame, up to the present one.
  struct BarrenRow: Hashable {
    /// The first of the items that yielded no frame, since the last one that did; nil where that is
    /// not known.
    private(set) var first: Occurrence?
    /// Number of items in the row.
    private(set) var count: Int
    /// True where all items that would follow yield nothing, again and again.
    private(set) var isRound = false

    init(count: Int) { self.count = count }

    /// The item behind which a step may go on by itself; nil while the row is short.
    var firstOfMany: Occurrence? { count >= Followers.threshold ? first : nil }

    /// A frame ends the row.
    mutating func end() { (first, count) = (nil, 0) }

    /// `occurrence` has yielded no frame.
    mutating func add(_ occurrence: Occurrence) {
      first = first ?? occurrence
      count += 1
    }

    /// Adds `number` items that a step could not open.
    mutating func add(_ number: Int) { count += number }

    /// The row is one of `count` items now, whose first one is not known.
    mutating func restart(count: Int) { (first, self.count) = (nil, count) }

    /// True where the row comes round to its first item with `next`.
    mutating func comesRound(with next: Occurrence?) -> Bool {
      isRound = first.map { $0.id == next?.id && $0.pass != next?.pass } ?? false
      return isRound
    }
  }
}
