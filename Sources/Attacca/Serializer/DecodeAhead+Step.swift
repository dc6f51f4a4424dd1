// SPDX-License-Identifier: Apache-2.0

extension DecodeAhead {
  /// The decode step under way, and the order that it was made by.
  struct Step {
    /// True while a step is under way.
    private(set) var isUnderWay = false
    /// The overlap that the last step has its item end in, if that is to be decided.
    var transition: Transition?
    /// Number of orders followed so far.
    private var orderNumber = 0
    /// The order by which the last item was begun, by its number.
    private var itemOrderNumber = 0

    /// A step goes on with the open item.
    mutating func begin(_ transition: Transition?) {
      (isUnderWay, self.transition) = (true, transition)
    }

    /// A step begins an item.
    mutating func beginItem(_ transition: Transition?) {
      begin(transition)
      itemOrderNumber = orderNumber
    }

    /// The step has come back, or nobody wants it any more.
    mutating func end() { isUnderWay = false }

    /// Another order tells the items that follow from now on.
    mutating func followOrder() { orderNumber += 1 }

    /// True where the order is still the one by which the last item was begun.
    var isOfPresentOrder: Bool { itemOrderNumber == orderNumber }
  }
}
