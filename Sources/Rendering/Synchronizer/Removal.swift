// SPDX-License-Identifier: Apache-2.0

/// A renderer that is to be let go of at a time.
struct Removal {
  /// Tells it from others of the same renderer.
  let number: Int
  /// Watches for the time; nil for a moment, until it does.
  var deadline: TimeObservation?
  let completion: @Sendable (Bool) -> Void
}
