// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// The position of an output, in stream frames, as the output has just told it.
package struct OutputPosition {
  /// The first frame that a rewrite now replaces if nothing delays it; the output tells where
  /// something did.
  var soonest: StreamFrame
  /// The first frame that a rewrite now is still sure to replace; the next one that the device will
  /// take, or a little later.
  var replaceable: StreamFrame
  /// The same for what would lose frames if it came late, as a start would: rather a block later.
  var safe: StreamFrame

  /// A position of which all three frames are given.
  package init(soonest: StreamFrame, replaceable: StreamFrame, safe: StreamFrame) {
    (self.soonest, self.replaceable, self.safe) = (soonest, replaceable, safe)
  }
}
