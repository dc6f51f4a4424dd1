// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca

/// Decoding files.
struct DecodeQuestion: Question {
  let name = "decode"
  let asks = "how long a frame of each format takes to be decoded, opening included"

  private static let files: [(name: String, path: String, frames: Int)] = [
    ("WAV", "album/03 wav.wav", 86_401), ("AIFF", "album/04 aiff.aiff", 91_199),
    ("FLAC", "album/01 flac.flac", 132_301), ("MP3", "album/05 mp3 cbr.mp3", 145_530),
    ("Vorbis", "album/07 vorbis.ogg", 145_530), ("Opus", "album/08 opus.opus", 153_601),
  ]

  func answer(_ effort: Effort) throws -> [Answer] {
    let pool = FramePool()
    return try Self.files.map { file in
      var frames = 0
      let time = try effort.nanoseconds(rounds: 20) {
        frames = 0
        let sound = try SoundFile(path: Sounds.fixtures + file.path, pool: pool)
        while let chunk = try sound.read(frames: 48_000) { frames += chunk.frameCount }
      }
      try BenchFailure.unless(
        frames == file.frames, "\(file.path): \(frames) frames, not \(file.frames)")
      return Answer(name: file.name, value: time / Double(frames), unit: "ns a frame")
    }
  }
}
