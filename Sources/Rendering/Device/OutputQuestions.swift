// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// The questions that only an output's device can answer; asked with the output's lock held.
package protocol OutputQuestions {
  /// A splice at once is being prepared, and `askPosition` will follow.
  func expectSplice()

  /// Has the output tell its position, with its lock held: at once, or soon after on its own thread.
  ///
  /// Requests may be answered together; each is answered once, in order.
  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void)

  /// The output may have gone past what it was given: has it told through `outputUnderran`, now or
  /// soon, where it really is.
  func askWhetherUnderrun()

  /// Tells whether what is written from `frame` on is sure to be there before it is read; where not, the
  /// output finds out where it is and tells `outputNeedsFrames()`, or `outputUnderran(read:)`.
  func isInTime(_ frame: StreamFrame) -> Bool
}

extension OutputQuestions {
  package func expectSplice() {}
}
