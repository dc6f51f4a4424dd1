// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A sound for measurements: plucked chords with a little noise, so that encoders have work to do.
///
/// Stereo, every sample one that 16 bits hold; the same in each run. What is longer than ten seconds
/// begins again.
struct BenchSound {
  /// Frames of the whole.
  let frameCount: Int
  /// Interleaved.
  private let piece: [Float]

  private static let pieceLength = 480_000
  private static let noteLength = 12_000
  /// Cycles a frame: G2 to A4 at 48 kHz.
  private static let notes = [98.0, 146.8, 196, 246.9, 293.7, 370, 440, 220].map { $0 / 48_000 }
  private static let scale = 32_768 as Float

  /// A sound of `frameCount` frames, 1 or more.
  init(frameCount: Int) {
    precondition(frameCount >= 1, "a sound of \(frameCount) frames")
    self.frameCount = frameCount
    var piece = Self.noise(frames: min(frameCount, Self.pieceLength))
    for (n, start) in stride(from: 0, to: piece.count / 2, by: Self.noteLength).enumerated() {
      for partial in 1...3 {
        Self.pluck(Self.notes[n % Self.notes.count], partial, from: start, into: &piece)
      }
    }
    for i in piece.indices { piece[i] = (piece[i] * Self.scale).rounded() / Self.scale }
    self.piece = piece
  }

  /// The samples of `count` frames from `first` on, as they stand in the file.
  func samples(from first: Int, count: Int) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(2 * count)
    var place = 2 * first % piece.count
    while samples.count < 2 * count {
      let end = min(piece.count, place + 2 * count - samples.count)
      samples += piece[place..<end]
      place = end == piece.count ? 0 : end
    }
    return samples
  }

  private static func noise(frames: Int) -> [Float] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<2 * frames).map { _ in
      // xorshift64 (Marsaglia 2003).
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return (Float(state >> 40) / Float(1 << 24) - 0.5) / 250
    }
  }

  /// A sine that decays, by a resonator: two multiplications a sample.
  private static func pluck(
    _ pitch: Double, _ partial: Int, from start: Int, into piece: inout [Float]
  ) {
    let decay = 1 - 1 / (9_000 / Double(partial))
    let angle = 2 * Double.pi * pitch * Double(partial)
    let (a, b) = (Float(2 * decay * cos(angle)), Float(decay * decay))
    let end = min(start + 2 * noteLength, piece.count / 2)
    var (last, now) = (0 as Float, 0.15 / Float(partial) * Float(angle))
    let balance: [Float] = partial.isMultiple(of: 2) ? [1, 0.5] : [0.6, 1]
    for frame in start..<end {
      // It falls to nothing where it ends.
      let rest = min(1, Float(end - frame) / 2_400)
      piece[2 * frame] += balance[0] * now * rest
      piece[2 * frame + 1] += balance[1] * now * rest
      (last, now) = (now, a * now - b * last)
    }
  }
}
