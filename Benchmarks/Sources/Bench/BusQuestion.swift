// SPDX-License-Identifier: Apache-2.0

import Answers
@testable import Attacca
@testable import MediaTime
import Glibc
@testable import Rendering

/// Filling the server's memory from what the voices of a bus have given.
struct BusQuestion: Question {
  let name = "bus"
  let asks = "how long half a second of a bus takes to the server's memory, against memcpy"

  /// Half a second, as a device asks for with the default latency.
  private static let frames = 24_000
  /// What each voice gives, and what the server holds: neither fits the nearest cache.
  private static let (held, given) = (13 * frames, 4 * frames)

  private static func sample(_ i: Int, of voice: Int) -> Float {
    (Float(i % 65_536) / 65_536 - 0.5) / Float(voice + 2)
  }

  /// A line that runs, full of frames that are numbered.
  private static func line(of voice: Int) -> RenderLine {
    var line = RenderLine(channelCount: 2, capacity: held, rate: 48_000)
    let samples = (0..<2 * held).map { sample($0, of: voice) }
    samples.withUnsafeBufferPointer {
      _ = line.append($0.baseAddress!, media: 0, count: held)
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
    for i in 0..<2 * Self.held { source[i] = Self.sample(i, of: 0) }
    /// Fills the server's memory over and over, till all that is held has been gone through.
    func walk(_ fill: (UnsafeMutablePointer<Float>, Int) -> Void) {
      for frame in stride(from: 0, to: Self.held, by: Self.frames) {
        fill(target + 2 * (frame % Self.given), frame)
      }
    }
    var answers: [Answer] = []
    for (voices, name) in [(1, "one voice"), (2, "two voices"), (8, "eight voices")] {
      var mix = BusMix(format: Sounds.stereo48, laneCapacity: Self.held)
      let lines = Lines((0..<voices).map { Lines.One(Self.line(of: $0)) })
      for i in 0..<voices { _ = mix.addLane(); mix.start(i) }
      func give(_ i: Int, _ frame: Int, heard: Int) {
        let (first, end) = (StreamFrame(Int64(frame)), StreamFrame(Int64(frame + Self.frames)))
        mix.write(first..<end, of: i, heard: StreamFrame(Int64(heard))) {
          lines.all[i].line.render(from: $1, frames: $2, into: $0)
        }
      }
      for i in 0..<voices {
        for frame in stride(from: 0, to: Self.held, by: Self.frames) { give(i, frame, heard: 0) }
      }
      _ = mix.takeOrders(read: 0)
      mix.mix(from: 0, frames: Self.frames, into: target)
      for i in [0, 1, 1_023, 24_001, 2 * Self.frames - 1] {
        let expected = (0..<voices).reduce(Float(0)) { $0 + Self.sample(i, of: $1) }
        try BenchFailure.unless(
          target[i] == expected, "\(name): sample \(i) is \(target[i]), not \(expected)")
      }
      let (ratio, nanoseconds) = effort.ratio {
        walk { mix.mix(from: StreamFrame(Int64($1)), frames: Self.frames, into: $0) }
      } to: {
        walk { memcpy($0, source + 2 * $1, 8 * Self.frames) }
      }
      answers.append(
        Answer(name: name, value: ratio, unit: "× memcpy", isJudged: voices <= 2))
      answers.append(
        Answer(name: name, value: nanoseconds / Double(Self.held), unit: "ns a frame"))
      // With what each voice gives first: from its line into the bus.
      let (whole, _) = effort.ratio {
        walk { target, frame in
          for i in 0..<voices { give(i, frame, heard: frame - Self.given) }
          _ = mix.takeOrders(read: StreamFrame(Int64(frame)))
          mix.mix(from: StreamFrame(Int64(frame)), frames: Self.frames, into: target)
        }
      } to: {
        walk { memcpy($0, source + 2 * $1, 8 * Self.frames) }
      }
      answers.append(Answer(name: "\(name), from their lines", value: whole, unit: "× memcpy"))
      guard voices == 2 else { continue }
      // What comes behind the last frame is processed twice, and each time a quarter of a second before it.
      mix.install(EffectSetting([LimiterEffect()]))
      let limited = effort.nanoseconds(rounds: 20) {
        walk { target, frame in
          for i in 0..<voices { give(i, frame, heard: frame - Self.given) }
          guard let range = mix.takeOrders(read: StreamFrame(Int64(frame))).write else { return }
          mix.render(from: range.lowerBound, frames: Self.frames, into: target)
        }
      }
      answers.append(
        Answer(
          name: "\(name), behind a limiter", value: limited / Double(Self.held), unit: "ns a frame")
      )
    }
    return answers
  }
}

/// Lines of voices: an array holds nothing that cannot be copied.
private struct Lines {
  final class One {
    let line: RenderLine
    init(_ line: consuming RenderLine) { self.line = line }
  }

  let all: [One]
  init(_ all: [One]) { self.all = all }
}
