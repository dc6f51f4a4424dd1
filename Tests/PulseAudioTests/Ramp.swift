// SPDX-License-Identifier: Apache-2.0

/// Frames that name themselves: channel 0 of frame `i` is (i + 1) / 2²², exact in Float32, and the
/// other channels are its negative halves, so that a lost, doubled or swapped frame shows.
enum Ramp {
  static func sample(_ frame: Int64, channel: Int, generation: Int64 = 0) -> Float {
    let value = Float(frame + 1 + generation * 1_000_000) / 4_194_304
    return channel == 0 ? value : -value / Float(1 << channel)
  }

  /// A fill of `channels` channels for `PlaybackStream.write`.
  static func fill(
    channels: Int, generation: Int64 = 0
  ) -> (UnsafeMutablePointer<Float>, Int64, Int) -> Void {
    { samples, frame, count in
      for i in 0..<count {
        for c in 0..<channels {
          samples[i * channels + c] = sample(frame + Int64(i), channel: c, generation: generation)
        }
      }
    }
  }

  /// Where and how `heard` first differs from `expected`, or `nil`: whole arrays are too long to
  /// print.
  static func difference(_ heard: [Float], _ expected: [Float]) -> String? {
    if let i = zip(heard, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      let wrong = zip(heard, expected).count { $0 != $1 }
      return "sample \(i) is \(heard[i]), not \(expected[i]); \(wrong) of \(heard.count) differ"
    }
    return heard.count == expected.count
      ? nil : "\(heard.count) samples, not \(expected.count)"
  }

  /// Interleaved samples of `frames`.
  static func samples(_ frames: Range<Int64>, channels: Int, generation: Int64 = 0) -> [Float] {
    frames.flatMap { frame in
      (0..<channels).map { sample(frame, channel: $0, generation: generation) }
    }
  }
}
