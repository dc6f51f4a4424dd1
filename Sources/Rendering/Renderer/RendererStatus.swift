// SPDX-License-Identifier: Apache-2.0

/// The state of a renderer.
///
/// The corresponding AVFoundation type is `AVQueuedSampleBufferRenderingStatus`.
public enum RendererStatus: Hashable, Sendable {
  /// Nothing has been enqueued yet.
  case unknown
  /// At least one buffer has been enqueued.
  case rendering
  /// The output is gone for good; `error` says why.
  case failed
}
