// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// The kind of what an output is given.
package enum OutputFrames: Hashable {
  /// Frames of the line.
  case content
  /// Frames of the line as it is now up to one, and silence from there on: what the line has there later is not heard.
  case fadeOut(until: StreamFrame)
  /// No sound.
  case silence
}
