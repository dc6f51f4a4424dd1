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
  /// - Returns: What should have been heard and what was; nil where all is equal to the bit.
  mutating func hear(_ samples: [Float]) -> String? {
    let sound = Self.sound(samples)
    for (i, frame) in sound.enumerated() {
      guard frame == frames[position] else {
        let run = sound[i..<min(i + 8, sound.count)]
        let found = frames.indices.first { frames[$0...].starts(with: run) }
        return
          "round \(rounds): not frame \(position) is heard, but \(found.map(String.init) ?? "\(run)")"
      }
      heard += 1
      position += 1
      if position == frames.count { (position, rounds) = (0, rounds + 1) }
    }
    return nil
  }
}
