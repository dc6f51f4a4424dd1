// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import TestSeeds

/// Frames that name themselves, some of them in silences: loud frame n of item i is i · 16,384 + n, a silent one is
/// n / 2^20, below the threshold.
///
/// Its path is "patchy i length seed", anything else for one that cannot be opened.
final class PatchySource: FrameSource {
  static let rate = RampSource.rate
  /// A silent frame is no louder than 0.016.
  static let unit: Float = 1 / 1_048_576

  let format = AudioFormat(sampleRate: PatchySource.rate, layout: .mono)
  var frameCount: Int64? { Int64(silent.count) }
  let tags = Tags()
  let truncation: SoundFileError? = nil
  var canBeReadInParts: Bool { true }
  let chapters: [Chapter]
  private let number: Int
  private let silent: [Bool]
  private var position = 0

  init(path: String) throws(SoundFileError) {
    let words = path.split(separator: " ").compactMap { Int($0) }
    guard path.hasPrefix("patchy "), words.count == 3 else {
      throw SoundFileError(.broken, path: path, call: "open", cause: "no patchy sound")
    }
    number = words[0]
    silent = Self.silences(words[1], seed: words[2])
    chapters = Self.chapterFrames(words[1]).map { frame in
      Chapter(title: "\(frame)", start: MediaTime(value: Int64(frame), timescale: 2_000))
    }
  }

  /// Frames at which its chapters begin.
  static func chapterFrames(_ length: Int) -> [Int] {
    Array(stride(from: 0, to: length, by: 997))
  }

  /// The frames of `length` that are silent: runs of up to 600, between loud ones of up to 400, also of none.
  static func silences(_ length: Int, seed: Int) -> [Bool] {
    var random = SplitMix64(seed: UInt64(seed))
    var silent: [Bool] = []
    while silent.count < length {
      silent += [Bool](repeating: false, count: Int.random(in: 0...400, using: &random))
      let longest = Bool.random(using: &random) ? 600 : 70
      silent += [Bool](repeating: true, count: Int.random(in: 0...longest, using: &random))
    }
    return Array(silent[..<length])
  }

  static func sample(_ number: Int, _ frame: Int) -> Float { RampSource.sample(number, frame) }

  func seek(to frame: Int64) throws(SoundFileError) {
    precondition(frame >= 0 && frame <= silent.count, "seek to \(frame) of \(silent.count)")
    position = Int(frame)
  }

  func read(frames: Int) throws(SoundFileError) -> Chunk? {
    let count = min(frames, silent.count - position)
    guard count > 0 else { return nil }
    let storage = FrameStorage(capacity: count)
    for i in 0..<count {
      let frame = position + i
      storage.samples[i] = silent[frame] ? Float(frame) * Self.unit : Self.sample(number, frame)
    }
    position += count
    return Chunk(storage: storage, frameCount: count, format: format)
  }
}
