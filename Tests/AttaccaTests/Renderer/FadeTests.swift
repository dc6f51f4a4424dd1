// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import MediaTime
@testable import Rendering
import TestSeeds
import Testing

/// Pauses, resumes and flushes on an offline renderer, which is pulled to the frame.
@Suite struct FadeTests {
  private static let fade = 240
  /// The largest step of the tone, and that of a straight fade of 5 ms on its amplitude of 0.5.
  private static let largest = Float(0.5 * 2 * sin(.pi / 480) + 0.5 / 240) + 1e-6

  /// Five seconds of 100 Hz, enqueued; begins at its crest, so that no step hides in a small sample.
  private func playing() -> PulledLine {
    let line = PulledLine()
    line.synchronizer.fade = .standard
    line.renderer.enqueue(
      buffer((0..<240_000).map { Float(0.5 * cos(2 * .pi * Double($0) / 480)) }, atFrame: 0))
    line.synchronizer.rate = 1
    return line
  }

  /// The largest step between two frames, where nothing is heard before and after them.
  private func largestStep(_ heard: [Float]) -> Float {
    zip(heard, heard.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  @Test(arguments: [0, 1, 100, 239, 240])
  func `a resume within the pause's fade makes no step, and goes on where the pause was`(
    frames: Int
  ) {
    let line = playing()
    var heard = line.pull(960)
    line.synchronizer.rate = 0
    heard += line.pull(frames)
    line.synchronizer.rate = 1
    heard += line.pull(4_800)
    #expect(largestStep(heard) <= Self.largest)
    // The fade out, the fade in of the same frames, and then the tone as it was.
    #expect(
      heard[1_440..<4_320].elementsEqual(
        (1_200..<4_080).map {
          Float(0.5 * cos(2 * .pi * Double($0) / 480))
        }))
  }

  @Test(arguments: [0, 1, 100, 239])
  func `a pause within the resume's fade makes no step`(frames: Int) {
    let line = playing()
    var heard = line.pull(960)
    line.synchronizer.rate = 0
    heard += line.pull(1_000)
    #expect(heard.count == 960 + Self.fade)
    line.synchronizer.rate = 1
    heard += line.pull(frames)
    line.synchronizer.rate = 0
    heard += line.pull(100)
    line.synchronizer.rate = 1
    heard += line.pull(4_800)
    #expect(largestStep(heard) <= Self.largest)
  }

  @Test(arguments: 1...20) func `no run of pauses, resumes, seeks and pulls makes a step`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let line = playing()
    var heard = line.pull(960)
    for _ in 0..<100 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: line.synchronizer.rate = 0
      case 2, 3: line.synchronizer.rate = 1
      default:
        // A period of the tone on, where it sounds the same.
        let now = line.renderer.line.map.media(at: StreamFrame(Int64(heard.count))).number
        line.synchronizer.setRate(1, time: MediaTime(value: now + 480, timescale: 48_000))
      }
      heard += line.pull(.random(in: 0...400, using: &random))
    }
    #expect(largestStep(heard) <= Self.largest, "seed \(seed)")
  }

  @Test func `a flush fades out, and what comes next is heard behind the fade`() {
    let line = playing()
    var heard = line.pull(960)
    line.renderer.flush()
    line.renderer.enqueue(buffer([Float](repeating: 0.25, count: 48_000), atFrame: 960))
    heard += line.pull(1_000)
    #expect(largestStep(Array(heard[..<1_199])) <= Self.largest)
    #expect(abs(heard[1_199]) <= 0.5 / 240)
    #expect(heard[1_200...] == ArraySlice(repeating: 0.25, count: heard.count - 1_200))
    #expect(heard.count == 1_960)
  }

  @Test func `a pause with a time fades out where it is`() {
    let line = playing()
    var heard = line.pull(960)
    line.synchronizer.setRate(0, time: MediaTime(value: 2, timescale: 1))
    heard += line.pull(4_800)
    #expect(heard.count == 960 + Self.fade)
    #expect(largestStep(heard + [0]) <= Self.largest)
    #expect(line.synchronizer.currentTime() == MediaTime(value: 2, timescale: 1))
  }

  @Test(arguments: [0, 1, 100, 239, 1_000])
  func `a jump to a time that nothing has been enqueued for makes no step`(frames: Int) {
    let line = playing()
    var heard = line.pull(960)
    line.synchronizer.setRate(1, time: MediaTime(value: 20, timescale: 1))
    heard += line.pull(frames)
    // The other way round: there is a step of 1 between the two.
    let tone = (0..<240_000).map { Float(-0.5 * cos(2 * .pi * Double($0) / 480)) }
    line.renderer.enqueue(buffer(tone, atFrame: 20 * 48_000))
    heard += line.pull(4_800)
    #expect(largestStep(heard) <= Self.largest)
    #expect(heard.contains(tone[240..<4_000]), "all of it is heard, the first 5 ms fading in")
    #expect(line.renderer.underrunCount == 0)
  }

  /// Of the five seconds one waits for room: it was put where time stands by then, and 15 s of silence behind it.
  @Test func `what is enqueued for where time went in a pause is heard, whatever waited before`() {
    let line = playing()
    var heard = line.pull(960)
    line.synchronizer.setRate(0, time: MediaTime(value: 20, timescale: 1))
    heard += line.pull(1_000)
    line.synchronizer.rate = 1
    line.renderer.enqueue(buffer([Float](repeating: 0.25, count: 240_000), atFrame: 20 * 48_000))
    heard += line.pull(4_800)
    #expect(heard.count == 960 + Self.fade + 4_800)
    #expect(heard.suffix(4_800 - Self.fade).allSatisfy { $0 == 0.25 })
  }

  @Test func `a jump behind the end of everything makes no step`() {
    let line = playing()
    line.renderer.finishEnqueuing()
    var heard = line.pull(960)
    line.synchronizer.setRate(1, time: MediaTime(value: 20, timescale: 1))
    heard += line.pull(4_800)
    #expect(heard.count == 960 + Self.fade)
    #expect(largestStep(heard + [0]) <= Self.largest)
    #expect(line.synchronizer.currentTime() == MediaTime(value: 20, timescale: 1))
  }

  @Test func `a jump over which time runs on makes no step`() {
    let line = playing()
    line.synchronizer.whenDry = .runsOn
    var heard = line.pull(960)
    line.synchronizer.setRate(1, time: MediaTime(value: 20, timescale: 1))
    heard += line.pull(4_800)
    #expect(heard.count == 960 + 4_800)
    #expect(largestStep(heard) <= Self.largest)
    #expect(heard[(960 + Self.fade)...].allSatisfy { $0 == 0 })
  }
}
