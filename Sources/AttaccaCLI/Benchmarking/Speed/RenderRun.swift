// SPDX-License-Identifier: Apache-2.0

/// What one rendering took.
struct RenderRun {
  /// Of wall time.
  let nanoseconds: Int
  /// Of CPU time, of all threads.
  let processorNanoseconds: Int
}
