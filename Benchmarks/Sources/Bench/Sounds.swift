// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Buffers and files to measure with.
enum Sounds {
  /// A buffer of noise-like samples.
  static func buffer(frames: Int, format: AudioFormat, at time: RationalTime) -> SampleBuffer {
    let storage = FrameStorage(capacity: frames * format.channelCount)
    for i in 0..<frames * format.channelCount {
      storage.samples[i] = Float((i * 7_919) % 65_536) / 131_072 - 0.25
    }
    return SampleBuffer(storage: storage, format: format, frameCount: frames, time: time)
  }

  static let stereo48 = AudioFormat(sampleRate: 48_000, layout: .stereo)

  /// The repository's fixtures.
  static let fixtures: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(4)
    return parts.joined(separator: "/") + "/fixtures/"
  }()
}
