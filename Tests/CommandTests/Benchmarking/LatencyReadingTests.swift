// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AttaccaCLI
@testable import Listening

struct LatencyReadingTests {
  /// What is heard from number 1,000 on.
  private static func heard(_ samples: [Float?]) -> HeardFrames {
    var heard = HeardFrames()
    for (i, sample) in samples.enumerated() {
      guard let sample else { continue }
      withUnsafePointer(to: sample) {
        heard.append($0, reference: ReferenceCode.sample(of: 1_000 + i))
      }
    }
    return heard
  }

  private static func sound(_ sound: Int, _ numbers: Range<Int>, gain: Float = 1) -> [Float?] {
    numbers.map { SoundFrame.sample(sound: sound, number: $0) * gain }
  }

  private static func read(
    _ samples: [Float?], _ expectation: LatencyReading.Expectation, from begin: Int = 1_000,
    beginsInSilence: Bool = false, newGain: Float = 1, fade: Int = 0, hidden: Int = 0,
    leeway: Int = 0
  ) -> LatencyReading {
    LatencyReading(
      heard(samples), from: begin, to: 1_000 + samples.count,
      of: LatencyReading.Command(
        expectation: expectation, beginsInSilence: beginsInSilence, newGain: newGain, fade: fade,
        hidden: hidden, leeway: leeway))
  }

  @Test func `a sample says which frame of which sound it is, and 24 bits hold it`() {
    for sound in [1, SoundFrame.soundLimit] {
      for number in [0, 1, 959_999, SoundFrame.numberLimit - 1] {
        let sample = SoundFrame.sample(sound: sound, number: number)
        #expect(SoundFrame(sample) == .exact(sound: sound, number: number))
        #expect(SoundFrame(sample / 2, gain: 0.5) == .exact(sound: sound, number: number))
        #expect((sample * Float(1 << 23)).rounded() == sample * Float(1 << 23))
      }
    }
    #expect(SoundFrame(0) == .silence)
    #expect(SoundFrame(0.01) == .other && SoundFrame(-0.5) == .other)
  }

  @Test func `a jump is told at the frame at which it is heard`() {
    let reading = Self.read(
      Self.sound(1, 50..<150) + Self.sound(2, 0..<500), .sound(2, from: 0), from: 1_010)
    #expect(reading.firstNew == 1_100)
    #expect(reading.silentFrames == 0 && reading.complaint == nil)
  }

  @Test func `a hole long after a start is told`() {
    let silence = [Float?](repeating: 0, count: 300)
    let reading = Self.read(
      silence + Self.sound(1, 0..<12_000) + silence + Self.sound(1, 12_000..<13_000),
      .sound(1, from: 0), beginsInSilence: true)
    #expect(reading.firstNew == 1_300 && reading.silentFrames == 300)
    #expect(reading.complaint?.contains("12000 frames after the first new") == true)
  }

  @Test func `what a monitor did not hear of a start counts as heard, and no more of it`() {
    let silence = [Float?](repeating: 0, count: 300)
    let samples = silence + Self.sound(1, 200..<1_000)
    func read(hidden: Int) -> LatencyReading {
      Self.read(samples, .sound(1, from: 0), beginsInSilence: true, fade: 10, hidden: hidden)
    }
    #expect(read(hidden: 250).firstNew == 1_100 && read(hidden: 250).hiddenFrames == 200)
    #expect(read(hidden: 250).complaint == nil)
    #expect(read(hidden: 199).firstNew == 1_300 && read(hidden: 199).complaint != nil)
  }

  /// 31 frames of a seek: a sink that rewinds gave back what it had taken and not played, and its monitor kept that.
  @Test func `what a monitor kept of what a seek replaced counts as replaced`() {
    let fade = [Float?](repeating: 0.01, count: 209)
    let samples = Self.sound(1, 0..<131) + fade + Self.sound(2, 240..<1_000)
    func read(hidden: Int) -> LatencyReading {
      Self.read(samples, .sound(2, from: 0), fade: 240, hidden: hidden)
    }
    #expect(read(hidden: 192).firstNew == 1_100 && read(hidden: 192).hiddenFrames == 31)
    #expect(read(hidden: 192).complaint == nil)
    #expect(read(hidden: 30).firstNew == 1_131 && read(hidden: 30).complaint != nil)
  }

  @Test func `what is heard before the moment that a coarse clock tells is found there`() {
    let samples = Self.sound(1, 0..<100) + Self.sound(2, 0..<500)
    let reading = Self.read(samples, .sound(2, from: 0), from: 1_110, leeway: 20)
    #expect(reading.firstNew == 1_100 && reading.complaint == nil)
    #expect(Self.read(samples, .sound(2, from: 0), from: 1_110).firstNew == nil)
  }

  @Test func `frames that are left out are told`() {
    let reading = Self.read(
      Self.sound(1, 0..<100) + Self.sound(2, 48..<500), .sound(2, from: 0))
    #expect(reading.complaint != nil && reading.silentFrames == 0)
  }

  @Test func `a pause is told at its first faded frame, and where it is not silent`() {
    let fade = Self.sound(1, 100..<110, gain: 0.7)
    let silence = [Float?](repeating: 0, count: 300)
    let reading = Self.read(Self.sound(1, 0..<100) + fade + silence, .silence, fade: 10)
    #expect(reading.firstNew == 1_100 && reading.complaint == nil)
    #expect(reading.replaced == .exact(sound: 1, number: 100))
    let loud = Self.read(
      Self.sound(1, 0..<100) + fade + silence + Self.sound(1, 0..<1), .silence, fade: 10)
    #expect(loud.complaint != nil)
  }

  @Test func `another gain goes on with the same frames`() {
    let samples = Self.sound(3, 0..<100) + Self.sound(3, 100..<400, gain: 0.5)
    #expect(Self.read(samples, .same, newGain: 0.5).complaint == nil)
    #expect(Self.read(samples, .same, newGain: 0.5).firstNew == 1_100)
    let shifted = Self.sound(3, 0..<100) + Self.sound(3, 101..<400, gain: 0.5)
    #expect(Self.read(shifted, .same, newGain: 0.5).complaint != nil)
  }

  @Test func `what the monitor did not give is no complaint`() {
    let samples = Self.sound(1, 0..<100) + [Float?](repeating: nil, count: 50)
    let reading = Self.read(
      samples + Self.sound(1, 150..<300) + Self.sound(2, 0..<100), .sound(2, from: 0))
    #expect(reading.firstNew == 1_300 && reading.complaint == nil)
  }

  @Test func `a command that is not heard is told`() {
    let reading = Self.read(Self.sound(1, 0..<500), .sound(2, from: 0))
    #expect(reading.firstNew == nil && reading.complaint == "it is not heard")
  }
}
