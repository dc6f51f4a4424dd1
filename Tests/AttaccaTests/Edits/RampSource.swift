// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering

/// Frames that name themselves: frame n of item i is i · 16,384 + n, in one channel.
///
/// Its path is "ramp i length", "ramp i length unknown" for one that does not tell its length, or
/// anything else for one that cannot be opened.
final class RampSource: FrameSource {
  static let rate = 2_000
  static let longest = 16_384

  let format = AudioFormat(sampleRate: RampSource.rate, layout: .mono)
  let frameCount: Int64?
  let tags = Tags()
  let truncation: SoundFileError? = nil
  private let number: Int
  private let length: Int
  private var position = 0

  init(path: String) throws(SoundFileError) {
    let words = path.split(separator: " ")
    guard words.count > 2, words[0] == "ramp", let number = Int(words[1]),
      let length = Int(words[2])
    else { throw SoundFileError(.broken, path: path, call: "open", cause: "no ramp") }
    (self.number, self.length) = (number, length)
    frameCount = words.count == 3 ? Int64(length) : nil
  }

  static func sample(_ number: Int, _ frame: Int) -> Float { Float(number * longest + frame) }

  func seek(to frame: Int64) throws(SoundFileError) {
    // Behind the end only where that is not told.
    precondition(frame >= 0 && frame <= frameCount ?? .max, "seek to \(frame) of \(length)")
    position = min(Int(frame), length)
  }

  func read(frames: Int) throws(SoundFileError) -> Chunk? {
    let count = min(frames, length - position)
    guard count > 0 else { return nil }
    let storage = FrameStorage(capacity: count)
    for i in 0..<count { storage.samples[i] = Self.sample(number, position + i) }
    position += count
    return Chunk(storage: storage, frameCount: count, format: format)
  }
}
