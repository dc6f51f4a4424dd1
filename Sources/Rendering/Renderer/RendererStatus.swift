// SPDX-License-Identifier: Apache-2.0

/// What a renderer is doing.
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
