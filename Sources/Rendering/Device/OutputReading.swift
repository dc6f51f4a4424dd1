// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// The place of an output as it knows it without asking its device.
package struct OutputReading {
  /// True where there is a device.
  ///
  /// Without one the output's time stands still: nothing is written, and what is asked for takes place at the
  /// frame that was heard last.
  package var hasDevice: Bool
  /// The stream frame that the output reads next, by its clock.
  package var read: StreamFrame
  /// The stream frame before which all has been heard for certain; frames from there on may be wanted again.
  package var heard: StreamFrame
  /// Frames from the one that is heard now to the first that a rewrite now is sure to replace.
  package var rewriteDistance: Int64

  /// The reading of an output with a device, where `hasDevice` says nothing else.
  package init(
    hasDevice: Bool = true, read: StreamFrame, heard: StreamFrame, rewriteDistance: Int64
  ) {
    (self.hasDevice, self.read, self.heard) = (hasDevice, read, heard)
    self.rewriteDistance = rewriteDistance
  }
}
