// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// Handing a renderer one small buffer, or a second.
struct EnqueueQuestion: Question {
  let name = "enqueue"
  let asks =
    "how long the enqueuing of 10 ms takes, and of a second, at the device's rate and converted"

  func answer(_ effort: Effort) throws -> [Answer] {
    [
      try measure(effort, rate: 48_000, name: "48 kHz"),
      try measure(effort, rate: 44_100, name: "44.1 kHz"),
      try second(effort, rate: 48_000, name: "a second of 48 kHz"),
      try second(effort, rate: 44_100, name: "a second of 44.1 kHz"),
      try second(effort, rate: 96_000, name: "a second of 96 kHz"),
      try second(effort, rate: 48_000, speed: 1.5, name: "a second at 1.5, of its own pitch"),
    ]
  }

  /// The longest that an order waits for what is being enqueued.
  private func second(
    _ effort: Effort, rate: Int, speed: Double = 1, name: String
  ) throws -> Answer {
    let renderer = OfflineRenderer(format: Sounds.stereo48)
    renderer.audioTimePitchAlgorithm = .timeDomain
    let synchronizer = RenderSynchronizer()
    synchronizer.addRenderer(renderer)
    synchronizer.rate = speed
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 48_000)
    defer { memory.deallocate() }
    let format = AudioFormat(sampleRate: rate, layout: .stereo)
    let template = Sounds.buffer(frames: rate, format: format, at: .zero)
    var (fastest, sent, got) = (Int.max, 0, 0)
    for _ in 0..<max(3, effort.times(20)) {
      let begin = Effort.now()
      renderer.enqueue(template.at(RationalTime(frames: Int64(sent), rate: 1)))
      fastest = min(fastest, Effort.now() - begin)
      sent += 1
      got += renderer.render(frames: Int(48_000 / speed), into: memory)
    }
    let expected = Double(sent) * 48_000 / speed
    try BenchFailure.unless(
      Double(got) <= expected && Double(got) > expected - 96_000,
      "\(got) frames came of \(expected)")
    return Answer(name: name, value: Double(fastest) / 1e6, unit: "ms")
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
