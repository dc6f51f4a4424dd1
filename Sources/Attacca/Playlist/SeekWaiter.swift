// SPDX-License-Identifier: Apache-2.0

/// Someone who waits for the first frame of a seek to be heard.
struct SeekWaiter {
  let number: Int
  /// The start that the seek made.
  let generation: Int
  let continuation: CheckedContinuation<Bool, Never>
}
