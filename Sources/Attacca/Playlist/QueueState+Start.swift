// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering

extension QueueState {
  /// The newest start: a seek, skip, jump or stop, or what makes the current item another at once.
  struct Start: Sendable {
    /// Number of starts so far.
    private(set) var generation = 0
    /// Place in the item where the start begins, from the item's beginning.
    private(set) var offset = RationalTime.zero
    /// The removal that the start comes from, until that is known to have come in time; nil for none.
    private(set) var removal: Removal?
    /// Number of the newest start that a serializer has taken up.
    private(set) var takenUp = 0
    /// Place of the last item that was heard, or is certain to be.
    private var heardPlace = 0

    /// Begins at `offset`.
    mutating func begin(at offset: RationalTime) {
      end()
      self.offset = offset
    }

    /// Nothing is begun: what was current is not any more.
    mutating func end() {
      generation += 1
      removal = nil
    }

    /// The start comes from `removal`; of several that nobody has taken up it is the first one's, as what
    /// nobody has taken up need not be given back.
    mutating func come(from removal: Removal, behind first: Removal?) {
      self.removal = takenUp < removal.generation ? first : removal
    }

    /// The current item is another one, heard from its `edge` on.
    mutating func moveOn(to edge: RationalTime) {
      offset = edge
      removal = nil
    }

    /// Takes back the start that a removal made, as the removed item had ended by itself: start `old` counts again.
    mutating func takeBack(to old: Int) { generation = old }

    /// The end has been heard.
    mutating func forgetRemoval() { removal = nil }

    /// A serializer has taken up the newest start.
    mutating func takeUp() { takenUp = generation }

    /// Takes note of `place`, where that of the newest start is heard.
    ///
    /// - Returns: false where what is known to be heard lies behind it.
    mutating func hear(_ place: Int) -> Bool {
      guard place >= heardPlace else { return false }
      heardPlace = place
      return true
    }

    /// A position at the beginning of `last`, the last item, as it is heard.
    func end(of last: Occurrence) -> HeardPosition {
      HeardPosition(occurrence: last, offset: .zero, generation: generation, place: heardPlace)
    }
  }
}
