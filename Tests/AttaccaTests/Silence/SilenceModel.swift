// SPDX-License-Identifier: Apache-2.0

@testable import Attacca

/// What is heard of a patchy sound with Media3's numbers, said the simplest way: whole runs, one by one.
struct SilenceModel {
  let number: Int
  let silent: [Bool]

  /// Sound number `number`, of so many frames; its number is its seed, too.
  init(_ number: Int, _ length: Int) {
    self.number = number
    silent = PatchySource.silences(length, seed: number)
  }

  var path: String { "patchy \(number) \(silent.count) \(number)" }

  /// Frames kept at the beginning and at the end of a silence of `count` frames, of one channel at 2,000 Hz; nil for
  /// all of them.
  static func kept(of count: Int) -> (head: Int, tail: Int)? {
    guard count >= 50 else { return nil }
    var head = 25
    func share(_ frames: Int) -> Int {
      max(0, min(Int(Float(2 * frames) * 0.2 + 0.5) / 2, 4_000 - head - 25))
    }
    for _ in 0..<((count - 50) / 25) { head += share(25) }
    return (head, 25 + share((count - 50) % 25))
  }

  /// The frames that are heard of `frames`, in the order of those.
  func heard(_ frames: some Sequence<Int>) -> [Int] {
    var heard: [Int] = []
    var silence: [Int] = []
    func endSilence() {
      if let (head, tail) = Self.kept(of: silence.count) {
        heard += silence.prefix(head) + silence.suffix(tail)
      } else {
        heard += silence
      }
      silence = []
    }
    for frame in frames {
      if silent[frame] {
        silence.append(frame)
      } else {
        endSilence()
        heard.append(frame)
      }
    }
    endSilence()
    return heard
  }

  func heard(from frame: Int = 0) -> [Int] { heard(frame..<silent.count) }

  /// Where `samples` are not `frames`: loud ones to the bit, silent ones no louder than they are.
  func difference(_ samples: [Float], _ frames: [Int], behind fade: Int = 0) -> String? {
    guard samples.count == frames.count else {
      return "\(samples.count) frames, not \(frames.count)"
    }
    for (i, frame) in frames.enumerated() where i >= fade {
      let value = samples[i]
      let isRight =
        silent[frame]
        ? value <= Float(frame) * PatchySource.unit * 1.0001 && (frame == 0 || value > 0)
        : value == PatchySource.sample(number, frame)
      if !isRight { return "\(i): \(value), not frame \(frame)" }
    }
    return nil
  }
}
