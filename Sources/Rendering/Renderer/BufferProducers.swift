// SPDX-License-Identifier: Apache-2.0

/// The producers of buffers, as far as a renderer tells them that it is ready for more.
struct BufferProducers {
  /// The block that is called.
  var request = MediaDataRequest()
  /// The tasks that wait.
  var waiters = EnqueueWaiters()
  /// Buffers that have been enqueued so far.
  var enqueuedBuffers = 0
}
