// SPDX-License-Identifier: Apache-2.0

import Attacca
import SampleBuffers
import SoundFiles

/// All that a source's reader brings.
struct Heard {
  var samples: [Float] = []
  var format: AudioFormat?
  var frameCount: Int64?
  /// How often it had to be waited for, and why.
  var waits = 0
  var reasons: Set<String> = []
  /// Why it ended early.
  var error: SoundFileError?

  /// Reads `source` from `start` on, `count` frames at most.
  static func of(
    _ source: any AudioSource, from start: Int64 = 0, count: Int = .max
  ) async throws -> Heard {
    let reader = try await source.open()
    if start > 0 { try reader.seek(to: start) }
    return reading(reader, count: count)
  }

  static func reading(_ reader: any AudioSourceReader, count: Int = .max) -> Heard {
    var heard = Heard()
    let channels = reader.format.channelCount
    (heard.format, heard.frameCount) = (reader.format, reader.frameCount)
    var block = [Float](repeating: 0, count: 20_000 * channels)
    while heard.samples.count < count {
      do {
        let answer = try block.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
        switch answer {
        case .frames(let frames): heard.samples += block[..<(frames * channels)]
        case .wait(let wait):
          heard.waits += 1
          heard.reasons.insert(wait.reason)
        case .end: return heard
        }
      } catch {
        heard.error = error as? SoundFileError
        return heard
      }
    }
    return heard
  }
}
