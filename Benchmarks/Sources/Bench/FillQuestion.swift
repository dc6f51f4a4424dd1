// SPDX-License-Identifier: Apache-2.0

import Answers
@testable import Attacca
@testable import MediaTime
import Glibc
@testable import Rendering

/// Filling the server's memory from the frame ring.
struct FillQuestion: Question {
  let name = "fill"
  let asks = "how long half a second takes from the ring to the server's memory, against memcpy"

  /// Half a second, as a device asks for with the default latency.
  private static let frames = 24_000
  /// The ring of a device of two seconds, and what the server holds: neither fits the nearest cache.
  private static let (held, given) = (13 * frames, 4 * frames)

  private static func sample(_ i: Int) -> Float { Float(i % 65_536) / 65_536 + 0.001 }

  /// A line that runs, full of frames that are numbered.
  private func line() -> RenderLine {
    var line = RenderLine(channelCount: 2, capacity: Self.held, rate: 48_000)
    let samples = (0..<2 * Self.held).map(Self.sample)
    samples.withUnsafeBufferPointer {
      _ = line.append($0.baseAddress!, media: 0, count: Self.held)
    }
    line.start(at: 0, media: 0, fade: 0)
    return line
  }

  func answer(_ effort: Effort) throws -> [Answer] {
    let source = UnsafeMutablePointer<Float>.allocate(capacity: 2 * Self.held)
    let target = UnsafeMutablePointer<Float>.allocate(capacity: 2 * Self.given)
    defer {
      source.deallocate()
      target.deallocate()
    }
    for i in 0..<2 * Self.held { source[i] = Self.sample(i) }
    /// Fills the server's memory over and over, till the ring has been gone through.
    func walk(_ fill: (UnsafeMutablePointer<Float>, Int) -> Void) {
      for frame in stride(from: 0, to: Self.held, by: Self.frames) {
        fill(target + 2 * (frame % Self.given), frame)
      }
    }
    var answers: [Answer] = []
    func measure(
      _ kind: String, isJudged: Bool = true, gainAt: (Int) -> Float,
      _ prepare: (inout RenderLine) -> Void
    ) throws {
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
        walk { line.render(from: StreamFrame(Int64($1)), frames: Self.frames, into: $0) }
      } to: {
        walk { memcpy($0, source + 2 * $1, 8 * Self.frames) }
      }
      answers.append(Answer(name: kind, value: ratio, unit: "× memcpy", isJudged: isJudged))
      answers.append(
        Answer(name: kind, value: nanoseconds / Double(Self.held), unit: "ns a frame"))
    }
    try measure("unity gain", gainAt: { _ in 1 }) { _ in }
    try measure("gain", gainAt: { _ in 0.5 }) { line in
      line.setVolume(0.5, at: -10, length: 1)
    }
    // As long as the renderer's ramps are, one in each half second.
    try measure("ramp", gainAt: { 1 - 0.01 * min(1, Float($0) / 240) }) { line in
      for k in 0..<13 {
        line.setVolume(
          1 - 0.01 * Float(k + 1), at: StreamFrame(Int64(k * Self.frames)), length: 240)
      }
    }
    try measure("nothing but ramp", isJudged: false, gainAt: { 1 - 0.5 * Float($0) / 312_000 }) {
      $0.setVolume(0.5, at: 0, length: Self.held)
    }
    try measure("splice", gainAt: { _ in 1 }) { line in
      for frame in stride(from: Self.frames / 2, to: Self.held, by: Self.frames) {
        let staged = StagedFrames(
          media: TimelineFrame(Int64(frame)), rate: 48_000, channelCount: 2,
          capacity: Self.held - frame)
        _ = staged.append(
          source + 2 * frame, media: TimelineFrame(Int64(frame)), frames: Self.held - frame)
        line.replace(from: StreamFrame(Int64(frame)), with: staged, fade: 240, isJump: false)
      }
    }
    return answers + [crossfade(effort)]
  }

  /// What a splice of 5 ms adds once.
  private func crossfade(_ effort: Effort) -> Answer {
    let old = StagedFrames(media: 0, rate: 48_000, channelCount: 2, capacity: 240)
    let new = StagedFrames(media: 0, rate: 48_000, channelCount: 2, capacity: 240)
    let samples = (0..<480).map { Float($0) / 480 }
    samples.withUnsafeBufferPointer {
      _ = old.append($0.baseAddress!, media: 0, frames: 240)
      _ = new.append($0.baseAddress!, media: 0, frames: 240)
    }
    let time = effort.nanoseconds(calls: 10) { new.fadeIn(from: old.samples, frames: 240) }
    return Answer(name: "crossfade of 5 ms", value: time / 1_000, unit: "µs")
  }
}
