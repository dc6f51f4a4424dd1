// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import MediaTime
@testable import Rendering
import SampleBuffers
import Testing

/// A tone of 1 kHz through the stage that follows another device's clock.
@Suite struct DriftCompensationTests {
  private static let rate = 48_000
  private static let format = AudioFormat(sampleRate: rate, layout: .mono)
  private static let frequency = 1_000.0

  /// What comes out of `seconds` of the tone that begins at nominal frame `start`, pushed in pieces of
  /// `piece` frames.
  private func frames(
    from previous: Int, to timelineRate: Int, start: Int64 = 0, seconds: Int = 4, piece: Int = 4_800
  ) -> (first: Int64, frames: [Float]) {
    let line = TimelineStretcher(
      Self.format, nominalRate: Self.rate, previousRate: previous, timelineRate: timelineRate,
      quality: .veryHigh)
    var (first, frames): (TimelineFrame?, [Float]) = (nil, [])
    let emit = { (frame: TimelineFrame, samples: UnsafeBufferPointer<Float>) in
      #expect(frame == (first ?? frame) + frames.count)
      first = first ?? frame
      frames += samples
    }
    let tone = (0..<seconds * Self.rate).map { Self.tone(Double(start) + Double($0), Self.rate) }
    for begin in stride(from: 0, to: tone.count, by: piece) {
      tone[begin..<min(begin + piece, tone.count)].withUnsafeBufferPointer {
        line.push($0, frame: TimelineFrame(start) + begin, emit: emit)
      }
    }
    line.finish(emit: emit)
    return (first?.number ?? .min, frames)
  }

  /// At frame `frame`, of which `rate` are a second of media time.
  private static func tone(_ frame: Double, _ rate: Int) -> Float {
    let time = (frame / Double(rate)).truncatingRemainder(dividingBy: 1)
    return Float(0.5 * sin(2 * .pi * frequency * time))
  }

  /// In frames: by how much a sample that is `error` off is too early or late, where the tone is
  /// steepest.
  private static let steepest = Float(0.5 * 2 * Double.pi * frequency / Double(rate))

  @Test(arguments: [(48_000, 48_001, 0), (48_004, 47_999, 12_345), (47_952, 48_000, -77_777)])
  func `where the glide has ended every frame is at its place, to a thousandth of a frame`(
    previous: Int, timelineRate: Int, start: Int64
  ) {
    let (first, frames) = frames(from: previous, to: timelineRate, start: start)
    var worst: Float = 0
    for (i, sample) in frames.enumerated().dropLast(200) where i > 2 * Self.rate {
      let expected = Self.tone(Double(first + Int64(i)), timelineRate)
      worst = max(worst, abs(sample - expected) / Self.steepest)
    }
    #expect(worst < 0.001, "\(worst) frames off")
  }

  @Test func `on the way it is off by no more than a fraction of the glide`() {
    let (first, frames) = frames(from: 48_000, to: 48_005)
    // 5 frames a second for two seconds, of which 0.148 at most at a time.
    let worst = frames.enumerated().dropFirst(200).dropLast(200).map { i, sample in
      abs(sample - Self.tone(Double(first + Int64(i)), 48_005)) / Self.steepest
    }.max()!
    #expect(worst > 1.4 && worst < 1.5, "\(worst) frames off")
  }

  @Test func `the tone goes on without a step from one ratio to the other`() {
    let (_, frames) = frames(from: 47_990, to: 48_010)
    // What a step would be is far above the second difference of a tone that only bends.
    let omega = 2 * Double.pi * Self.frequency / Double(Self.rate)
    let worst = (201..<frames.count - 200).map { i in
      let bend = frames[i - 1] + frames[i + 1] - 2 * Float(cos(omega)) * frames[i]
      return abs(bend)
    }.max()!
    // What is left is that the pitch moves by 400 millionths: 2 omega^2 * 0.5 * 0.0004.
    #expect(worst < 1e-5, "\(worst)")
  }

  @Test(arguments: [1, 255, 1_000])
  func `a run owns its frames, however it is cut`(piece: Int) {
    let whole = frames(from: 48_000, to: 48_003, start: 4_801, seconds: 3)
    let cut = frames(from: 48_000, to: 48_003, start: 4_801, seconds: 3, piece: piece)
    #expect(whole.first == 4_801)
    #expect(whole.frames.count == 3 * 48_003)
    #expect(cut.first == whole.first && cut.frames.count == whole.frames.count)
    let worst = zip(cut.frames, whole.frames).map { abs($0 - $1) }.max()!
    // Within a block the ratio goes in a straight line from where it was cut.
    #expect(worst < 1e-5, "\(worst)")
  }

  @Test func `what comes later begins a run of its own`() {
    let line = TimelineStretcher(
      Self.format, nominalRate: Self.rate, previousRate: 48_000, timelineRate: 48_001,
      quality: .veryHigh)
    var owned: [Range<TimelineFrame>] = []
    let emit = { (frame: TimelineFrame, samples: UnsafeBufferPointer<Float>) in
      let end = frame + samples.count
      if let last = owned.last, last.upperBound == frame {
        owned[owned.count - 1] = last.lowerBound..<end
      } else {
        owned.append(frame..<end)
      }
    }
    let second = [Float](repeating: 0.5, count: Self.rate)
    second.withUnsafeBufferPointer {
      line.push($0, frame: 0, emit: emit)
      line.push($0, frame: TimelineFrame(2 * Int64(Self.rate)), emit: emit)
    }
    line.finish(emit: emit)
    #expect(owned == [0..<48_001, 96_002..<144_003])
  }

  private final class Heard: ConvertedFramesTarget {
    var frames: [Float] = []

    func makeRoom(from media: TimelineFrame?, frames: Int) -> Bool { true }
    func append(_ samples: UnsafeBufferPointer<Float>, media: TimelineFrame, isTail: Bool) -> Int {
      frames += samples
      return samples.count
    }
    func pendingBuffers(_ count: Int) {}
    func finished() {}
  }

  @Test func `what is made anew begins as fast as what it follows`() {
    func line(_ correction: Double, after previous: ConversionChain? = nil) -> ConversionChain {
      ConversionChain(
        output: Self.format, quality: .veryHigh,
        pace: Pace(rate: 1, correction: correction, algorithm: .varispeed), after: previous)
    }
    let (fast, heard) = (line(0.001), Heard())
    let slow = line(-0.001, after: fast)
    #expect((fast.timelineRate, slow.timelineRate) == (47_952, 48_048))
    #expect(!slow.isRepeatable && line(0).isRepeatable)
    slow.enqueue(buffer(ramp(0, 3 * Self.rate), atFrame: 0), into: heard)
    slow.finish(into: heard)
    #expect(heard.frames.count == 3 * 48_048)
    // So much of the ramp passes in 200 frames.
    func steepness(at frame: Int) -> Float {
      (heard.frames[frame + 100] - heard.frames[frame - 100]) / 200
    }
    #expect(abs(steepness(at: 400) - 48_000 / 47_952) < 5e-5)
    #expect(abs(steepness(at: 120_000) - 48_000 / 48_048) < 5e-5)
  }
}
