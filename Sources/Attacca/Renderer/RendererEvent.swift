// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// What happens to a renderer by itself.
public enum RendererEvent: Sendable {
  /// Everything from `at` on was discarded by a change of the output, not by a `flush`.
  ///
  /// The corresponding notification is `AVSampleBufferAudioRendererWasFlushedAutomatically`.
  case wasFlushedAutomatically(at: MediaTime)
  /// Another device plays from now on.
  ///
  /// The corresponding notification is
  /// `AVSampleBufferAudioRendererOutputConfigurationDidChange`.
  case outputConfigurationDidChange
  /// The device ran out of frames before media time `at`, which is heard as soon as there are more.
  case underrun(at: MediaTime)
  /// A rewrite came too late by `frames` frames: so many of the new ones were not heard.
  case lateSplice(frames: Int64)
  /// The last frame of finished media has been heard.
  case drained
  /// The output failed for good.
  case failed(any Error)
}
