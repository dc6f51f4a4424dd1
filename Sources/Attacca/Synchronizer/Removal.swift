// SPDX-License-Identifier: Apache-2.0

/// A renderer that is to be let go of at a time.
struct Removal {
  let deadline: TimeObservation
  let completion: @Sendable (Bool) -> Void
}
