// SPDX-License-Identifier: Apache-2.0

public import SampleBuffers

/// Number that tells frames from others: whether a file still decodes to the same.
public struct SampleDigest: Hashable, Sendable {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Frames in it.
  public private(set) var frameCount: Int64 = 0

  /// The digest of no frame.
  public init() {}

  /// Adds the samples of interleaved frames, in order, to the bit (FNV-1a by 32 bits, rotated).
  public mutating func add(
    _ samples: UnsafePointer<Float>, frameCount: Int, format: AudioFormat
  ) {
    var hash = hash ^ UInt64(format.sampleRate) << 8 ^ UInt64(format.channelCount)
    for i in 0..<frameCount &* format.channelCount {
      hash = (hash ^ UInt64(samples[i].bitPattern)) &* 0x100_0000_01B3
      hash = hash << 29 | hash >> 35
    }
    self.hash = hash
    self.frameCount += Int64(frameCount)
  }
}
