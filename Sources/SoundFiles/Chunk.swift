// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import SampleBuffers

/// A run of decoded frames in memory from a `FramePool`, all of one format.
public struct Chunk: Sendable {
  /// The interleaved frames, at the start of the storage.
  public let storage: FrameStorage
  /// Frames in memory, 1 or more; every one of them is heard.
  public let frameCount: Int
  /// Rate and speakers of these frames.
  public let format: AudioFormat

  /// Wraps `frameCount` frames at the start of `storage`.
  ///
  /// - Precondition: the storage holds that many frames.
  public init(storage: FrameStorage, frameCount: Int, format: AudioFormat) {
    require(
      frameCount * format.channelCount <= storage.capacity,
      "\(frameCount) frames of \(format) in a storage of \(storage.capacity) samples")
    (self.storage, self.frameCount, self.format) = (storage, frameCount, format)
  }
}
