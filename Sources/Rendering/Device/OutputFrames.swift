// SPDX-License-Identifier: Apache-2.0

/// The kind of what an output is given.
package enum OutputFrames: Hashable {
  /// Frames of the line.
  case content
  /// Frames of the line as it is now, which are the last before silence: what the line has there later is not
  /// heard.
  case fadeOut
  /// No sound.
  case silence
}
