// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca

/// Converting rates and channels.
struct ConversionQuestion: Question {
  let name = "conversion"
  let asks = "how long a second of each format takes to become 48 kHz stereo"

  func answer(_ effort: Effort) throws -> [Answer] {
    let formats: [(String, AudioFormat)] = [
      ("48 kHz stereo", Sounds.stereo48),
      ("44.1 kHz stereo", AudioFormat(sampleRate: 44_100, layout: .stereo)),
      ("22.05 kHz mono", AudioFormat(sampleRate: 22_050, layout: .mono)),
      ("96 kHz stereo", AudioFormat(sampleRate: 96_000, layout: .stereo)),
      ("48 kHz mono", AudioFormat(sampleRate: 48_000, layout: .mono)),
      ("48 kHz 5.1", AudioFormat(sampleRate: 48_000, layout: .usual(channelCount: 6))),
    ]
    return try formats.flatMap { try measure($0.0, $0.1, effort) }
  }

  private func measure(
    _ name: String, _ format: AudioFormat, _ effort: Effort
  ) throws -> [Answer] {
    let converter = TimelineConverter(output: Sounds.stereo48)
    let second = Sounds.buffer(frames: format.sampleRate, format: format, at: .zero)
    var (seconds, frames) = (Int64(0), 0)
    let time = effort.nanoseconds(rounds: 20) {
      converter.convert(second.at(RationalTime(frames: seconds, rate: 1))) {
        frames += $1.count / 2
      }
      seconds += 1
    }
    converter.finish { frames += $1.count / 2 }
    try BenchFailure.unless(
      frames == Int(seconds) * 48_000, "\(name): \(frames) frames of \(seconds) s")
    return [Answer(name: name, value: time / 48_000, unit: "ns a frame")]
  }
}
