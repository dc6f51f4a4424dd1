// SPDX-License-Identifier: Apache-2.0

/// Whoever takes an output's frames as fast as they are made.
package protocol OutputPuller: AnyObject, Sendable {
  /// Looks again for frames, as content was added to the line, or its end is known; with the output's lock held.
  func contentChanged()
}
