// SPDX-License-Identifier: Apache-2.0

/// The cost of one rendering.
struct RenderRun {
  /// Of wall time.
  let nanoseconds: Int
  /// Of CPU time, of all threads.
  let processorNanoseconds: Int
}
