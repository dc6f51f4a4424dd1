// SPDX-License-Identifier: Apache-2.0

/// Holds what is heard against an album that is played over and over.
///
/// Frames of silence do not count, on either side: a pause adds some, and where it was is not known
/// to the frame.
struct RepeatedAlbum {
  private let frames: [SIMD2<Float>]
  private var position = 0
  /// How often it has been heard to its end.
  private(set) var rounds = 0
  /// Frames heard, silence apart.
  private(set) var heard = 0

  /// `samples` are stereo, interleaved.
  init(_ samples: [Float]) { frames = Self.sound(samples) }

  private static func sound(_ samples: [Float]) -> [SIMD2<Float>] {
    stride(from: 0, to: samples.count, by: 2).compactMap {
      let frame = SIMD2(samples[$0], samples[$0 + 1])
      return frame == .zero ? nil : frame
    }
  }

  /// Goes on with `samples`, which were heard.
  ///
  /// - Returns: The frame of the album that should have been heard and was not; nil where all is
  ///   equal to the bit.
  mutating func hear(_ samples: [Float]) -> Int? {
    for frame in Self.sound(samples) {
      guard frame == frames[position] else { return position }
      heard += 1
      position += 1
      if position == frames.count { (position, rounds) = (0, rounds + 1) }
    }
    return nil
  }
}
