// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Glibc

/// Filling the server's memory from the frame ring.
struct FillQuestion: Question {
  let name = "fill"
  let asks = "how long half a second takes from the ring to the server's memory, against memcpy"

  private static let frames = 24_000

  /// A line that runs, with 100,000 frames that are numbered.
  private func line() -> RenderLine {
    var line = RenderLine(channelCount: 2, capacity: 120_000)
    let samples = (0..<200_000).map { Float($0 % 65_536) / 65_536 + 0.001 }
    samples.withUnsafeBufferPointer {
      _ = line.append($0.baseAddress!, media: 0, count: 100_000)
    }
    line.start(at: 0, media: 0, fade: 0)
    return line
  }

  func answer(_ effort: Effort) throws -> [Answer] {
    let count = 2 * Self.frames
    let source = UnsafeMutablePointer<Float>.allocate(capacity: count)
    let target = UnsafeMutablePointer<Float>.allocate(capacity: count)
    defer {
      source.deallocate()
      target.deallocate()
    }
    for i in 0..<count { source[i] = Float(i % 65_536) / 65_536 + 0.001 }
    var answers: [Answer] = []
    func measure(_ kind: String, gainAt: (Int) -> Float, _ prepare: (inout RenderLine) -> Void)
      throws
    {
      var line = line()
      prepare(&line)
      line.render(from: 0, frames: Self.frames, into: target)
      for frame in [0, 1, 240, 12_000, Self.frames - 1] {
        let expected = source[2 * frame] * gainAt(frame)
        try BenchFailure.unless(
          abs(target[2 * frame] - expected) < 1e-5,
          "\(kind): frame \(frame) is \(target[2 * frame]), not \(expected)")
      }
      let (ratio, nanoseconds) = effort.ratio {
        line.render(from: 0, frames: Self.frames, into: target)
      } to: {
        memcpy(target, source, count * 4)
      }
      answers.append(Answer(name: kind, value: ratio, unit: "× memcpy", isJudged: true))
      answers.append(
        Answer(name: kind, value: nanoseconds / Double(Self.frames), unit: "ns a frame"))
    }
    try measure("unity gain", gainAt: { _ in 1 }) { _ in }
    try measure("gain", gainAt: { _ in 0.5 }) { line in
      line.setVolume(0.5, at: -10, length: 1)
    }
    try measure("ramp", gainAt: { 1 - 0.5 * Float($0) / 24_000 }) { line in
      line.setVolume(0.5, at: 0, length: 24_000)
    }
    return answers + [crossfade(effort)]
  }

  /// What a splice of 5 ms adds once.
  private func crossfade(_ effort: Effort) -> Answer {
    let old = StagedFrames(media: 0, channelCount: 2, capacity: 240)
    let new = StagedFrames(media: 0, channelCount: 2, capacity: 240)
    let samples = (0..<480).map { Float($0) / 480 }
    samples.withUnsafeBufferPointer {
      _ = old.append($0.baseAddress!, media: 0, frames: 240)
      _ = new.append($0.baseAddress!, media: 0, frames: 240)
    }
    let time = effort.nanoseconds(calls: 10) { new.fadeIn(from: old.samples, frames: 240) }
    return Answer(name: "crossfade of 5 ms", value: time / 1_000, unit: "µs")
  }
}
