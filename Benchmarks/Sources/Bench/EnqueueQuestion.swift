// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// Handing a renderer one small buffer.
struct EnqueueQuestion: Question {
  let name = "enqueue"
  let asks = "how long the enqueuing of 10 ms takes, at the device's rate and converted"

  func answer(_ effort: Effort) throws -> [Answer] {
    [
      try measure(effort, rate: 48_000, name: "48 kHz"),
      try measure(effort, rate: 44_100, name: "44.1 kHz"),
    ]
  }

  private func measure(_ effort: Effort, rate: Int, name: String) throws -> Answer {
    let renderer = OfflineRenderer(format: Sounds.stereo48)
    let synchronizer = RenderSynchronizer()
    synchronizer.addRenderer(renderer)
    synchronizer.rate = 1
    let frames = rate / 100
    let format = AudioFormat(sampleRate: rate, layout: .stereo)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 48_000)
    defer { memory.deallocate() }
    let template = Sounds.buffer(frames: frames, format: format, at: .zero)
    var (sent, got) = (Int64(0), 0)
    var fastest = Int.max
    for _ in 0..<max(2, effort.times(100)) {
      let begin = Effort.now()
      for _ in 0..<50 {
        renderer.enqueue(template.at(RationalTime(frames: sent, rate: rate)))
        sent += Int64(frames)
      }
      fastest = min(fastest, Effort.now() - begin)
      // Half a second went in, as much goes out.
      got += renderer.render(frames: 48_000, into: memory)
    }
    let expected = Double(sent) * 48_000 / Double(rate)
    try BenchFailure.unless(
      Double(got) <= expected && Double(got) > expected - 48_000,
      "\(got) frames came of \(expected)")
    return Answer(name: name, value: Double(fastest) / 50_000, unit: "µs a buffer")
  }
}
