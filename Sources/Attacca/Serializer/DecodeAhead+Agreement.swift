// SPDX-License-Identifier: Apache-2.0

extension DecodeAhead {
  /// The items begun that another order has as well, and the one where it differs from them.
  struct Agreement {
    /// Number of items of `begun`, the heard one first, that the other order has the same.
    let kept: Int
    /// The next one is the right item, but should end elsewhere.
    let cut: PlayedRange?
    /// The next one is the right item, but its end should overlap with another one, or with none.
    var isMixedOtherwise = false
  }

  /// Compares with what `order` has from `heard` on; nil where that has not begun here, or goes the
  /// other way.
  func agreement(with order: PlayOrder, from heard: Occurrence) -> Agreement? {
    guard order.isReversed == self.order.isReversed else { return nil }
    guard var i = begun.firstIndex(where: { $0.range.occurrence == heard }) else { return nil }
    var expected = order.range(of: heard, from: begun[i].range.from)
    while true {
      guard begun[i].endsAsWell(in: order), !isPastDecision(i, in: order) else {
        return Agreement(kept: i, cut: nil, isMixedOtherwise: true)
      }
      guard begun[i].isAsWell(cutAt: expected.to) else { return Agreement(kept: i, cut: expected) }
      let occurrence = begun[i].range.occurrence
      i += 1
      guard i < begun.count else { break }
      if begun[i].skipped > 0 {
        let range = begun[i].range
        guard order.leads(from: occurrence, to: range.occurrence, as: self.order) else { break }
        guard begun[i].isBare || order.entry(of: range.occurrence) == range.from else { break }
        expected = order.range(of: range.occurrence, from: range.from)
        continue
      }
      guard let next = order.following(occurrence)?.entered(isBare: begun[i].isBare),
        next.occurrence == begun[i].range.occurrence, next.from == begun[i].range.from
      else { break }
      expected = next
    }
    return Agreement(kept: i, cut: nil)
  }
}
