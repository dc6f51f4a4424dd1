// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import MediaTime
@testable import Rendering
import SampleBuffers
import Testing

/// What `RandomEnqueuingTests` has found, in as few steps as show it.
@Suite struct EnqueuingCaseTests {
  private static func run(
    _ format: AudioFormat, _ steps: [EnqueuingStep]
  ) throws {
    let run = EnqueuingRun(format, waits: true)
    for step in steps { try run.perform(step) }
    try run.finish()
  }

  private static func mono(_ rate: Int) -> AudioFormat {
    AudioFormat(sampleRate: rate, layout: .mono)
  }

  private static func at(_ milliseconds: Int64) -> RationalTime {
    RationalTime(frames: milliseconds, rate: 1_000)
  }

  /// At four times the speed the sound would have been over 3.5 ms later, behind a filter that rings there: it goes
  /// out so, while the other speed comes up.
  @Test func `another speed that comes next to an end takes over what the old one made of that`()
    throws
  {
    let stereo = AudioFormat(sampleRate: 22_050, layout: .stereo)
    let second = RationalTime(frames: 2_436, rate: 22_050)
    let third = second + RationalTime(frames: 2_165, rate: 44_100)
    let fourth = third + RationalTime(frames: 9_984, rate: 44_100)
    try Self.run(
      Self.mono(48_000),
      [
        .enqueue(from: .zero, stereo, count: 2_760, trim: 324),
        .enqueue(from: second, Self.mono(44_100), count: 2_430, trim: 265),
        .enqueue(from: third, Self.mono(44_100), count: 11_112, trim: 1_128),
        .enqueue(from: fourth, Self.mono(48_000), count: 15_963, trim: 1_353),
        .pull(6_381), .rate(4), .pull(9_037),
        .enqueue(from: Self.at(4_024), Self.mono(48_000), count: 11_078, trim: 791), .rate(0.97),
        .pull(7_467),
      ])
  }

  /// Too little to start with, and behind a gap that the line does not hold: what was made anew, the gap first,
  /// was refused for ever.
  @Test func `another speed is carried out for content behind a gap that has not begun`() throws {
    try Self.run(
      Self.mono(8_000),
      [
        .steer(off: -0.0002), .steer(off: 0.0002), .rate(4),
        .enqueue(from: Self.at(9_613), Self.mono(8_000), count: 2_967, trim: 0),
        .steer(off: -0.0001),
      ])
  }

  /// The line was empty and took up the other speed at once, while the filter held back the last 0.1 s.
  @Test
  func `another speed that comes when all has been heard loses nothing that a filter holds back`()
    throws
  {
    try Self.run(
      Self.mono(8_000),
      [
        .jump(to: Self.at(573), rate: 2),
        .enqueue(from: Self.at(2_673), Self.mono(8_000), count: 3_571, trim: 0),
        .pull(8_417), .pull(2_283), .interrupt, .rate(0.25),
        .enqueue(from: Self.at(4_153), Self.mono(96_000), count: 66_596, trim: 0),
        .pull(11_544),
      ])
  }

  /// What was left of the second buffer began up to half a frame from the end of the first, which counts as
  /// its continuation: made anew it was 50 us late, 10 frames at a quarter of the speed.
  @Test func `what steps back in time is at another speed where it was`() throws {
    let back = Self.at(1_900) + RationalTime(frames: 2, rate: 5 * 8_000)
    try Self.run(
      Self.mono(48_000),
      [
        .enqueue(from: .zero, Self.mono(8_000), count: 16_000, trim: 0),
        .enqueue(from: back, Self.mono(8_000), count: 16_000, trim: 0),
        .jump(to: Self.at(1_500), rate: 0.25),
        .pull(48_000), .pull(48_000), .pull(48_000),
      ])
  }

  /// The second buffer says half a frame less than where it is heard, and the third, of a higher rate, follows it
  /// by that time: who had made the second anew knew where it is heard alone.
  @Test func `what continues others that were made anew is heard right behind them`() throws {
    try Self.run(
      Self.mono(48_000),
      [
        .enqueue(from: .zero, Self.mono(8_000), count: 8_000, trim: 0),
        .enqueue(
          from: Self.at(1_000), Self.mono(8_000), count: 4_000, trim: 0,
          jitter: RationalTime(frames: -1, rate: 16_000)),
        .pull(24_000), .rate(0.97),
        .enqueue(from: Self.at(1_500), Self.mono(44_100), count: 44_100, trim: 0),
        .pull(48_000), .pull(48_000),
      ])
  }

  /// What is left of the first buffer ends within a frame of 8 kHz behind the cut, which is a whole millisecond;
  /// the cut comes while it waits for room, so that it is made anew.
  @Test func `what follows a cut is where it says, whoever makes what comes before anew`() throws {
    try Self.run(
      Self.mono(44_100),
      [
        .steer(off: -0.0002),
        .enqueue(
          from: Self.at(8_542), Self.mono(8_000), count: 1_762, trim: 203,
          jitter: RationalTime(frames: -1, rate: 16_000)),
        .cut(from: Self.at(8_696)), .jump(to: Self.at(8_016), rate: 1),
        .enqueue(from: Self.at(8_696), Self.mono(44_100), count: 29_701, trim: 386),
        .pull(48_000),
      ])
  }

  /// Behind a cut nothing is continued: what is enqueued there is where its own time says, and made anew as
  /// well.
  @Test func `what follows a cut is at another speed where it was`() throws {
    try Self.run(
      Self.mono(48_000),
      [
        .enqueue(from: .zero, Self.mono(8_000), count: 16_000, trim: 0),
        .cut(from: Self.at(1_000)),
        .enqueue(
          from: Self.at(1_000), Self.mono(8_000), count: 16_000, trim: 0,
          jitter: RationalTime(frames: -1, rate: 16_000)),
        .jump(to: Self.at(900), rate: 0.25),
        .pull(48_000), .pull(48_000), .pull(48_000),
      ])
  }

  /// The end of what a cut leaves rings as what was cut does, whatever followed that: 27 us of it, 106 frames of 8 kHz
  /// before the end, were taken for another place.
  @Test func `what a cut leaves rings at its own rate`() throws {
    try Self.run(
      Self.mono(48_000),
      [
        .enqueue(from: Self.at(8_000), Self.mono(8_000), count: 8_000, trim: 0),
        .enqueue(from: Self.at(9_000), Self.mono(96_000), count: 9_600, trim: 0),
        .cut(from: Self.at(8_837)),
        .enqueue(from: Self.at(12_000), Self.mono(48_000), count: 48_000, trim: 0),
        .jump(to: Self.at(8_700), rate: 0.25), .pull(36_000),
      ])
  }

  /// The jump was heard by nobody: 5 ms of what it led to went out, which is louder than what had been heard.
  @Test func `a flush right behind a jump lets what that leads to go out`() throws {
    try Self.run(
      Self.mono(48_000),
      [
        .enqueue(from: Self.at(0), Self.mono(48_000), count: 480_000, trim: 0), .pull(24_000),
        .jump(to: Self.at(5_000), rate: 1), .flush, .jump(to: Self.at(100), rate: 0), .pull(480),
      ])
  }

  /// What is made anew is a gap that fills a line, and its sound waits in the conversion.
  @Test
  func `another speed is carried out behind a gap that is longer than the line, while paused`()
    throws
  {
    try Self.run(
      Self.mono(44_100),
      [
        .steer(off: 0),
        .enqueue(
          from: Self.at(7_155), AudioFormat(sampleRate: 96_000, layout: .stereo), count: 22_518,
          trim: 2_272),
        .steer(off: 0.0002), .rate(1.3), .jump(to: Self.at(2_989), rate: 0), .steer(off: 0),
      ])
  }

  /// 5 ms of what was discarded were heard, from full level down, though nothing of it had been.
  @Test func `nothing fades out where a start and a flush fall upon one frame`() throws {
    try Self.run(
      AudioFormat(sampleRate: 8_000, layout: .stereo),
      [
        .enqueue(from: Self.at(5_616), Self.mono(22_050), count: 21_068, trim: 1_887),
        .jump(to: Self.at(5_836), rate: 0), .rate(0.5), .flush, .jump(to: Self.at(1_119), rate: 2),
      ])
  }

  /// The old speed is four times as far in 5 ms: it comes to the sound while the new one is still in the gap.
  @Test func `a slower speed right before a sound has the faster one go out of it`() throws {
    try Self.run(
      Self.mono(48_000),
      [
        .rate(4),
        .enqueue(
          from: Self.at(588), AudioFormat(sampleRate: 44_100, layout: .stereo), count: 14_002,
          trim: 1_152),
        .enqueue(from: Self.at(5_549), Self.mono(8_000), count: 6_994, trim: 29),
        .pull(6_866), .rate(0.25), .pull(9_323),
      ])
  }

  /// What the filter still held was to be made anew without what was cut, and was overtaken by what was pulled: then
  /// nothing that was enqueued behind the cut was ever taken.
  @Test func `what follows a cut is heard where the frames before it were heard meanwhile`() throws
  {
    let renderer = OfflineRenderer(format: Self.mono(8_000))
    let synchronizer = RenderSynchronizer()
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    synchronizer.rate = 1
    func enqueue(at seconds: Int64) {
      let storage = FrameStorage(capacity: 48_000)
      for i in 0..<48_000 { storage.samples[i] = 0.5 }
      renderer.enqueue(
        SampleBuffer(
          storage: storage, format: Self.mono(48_000), frameCount: 48_000,
          time: RationalTime(frames: seconds, rate: 1)))
    }
    enqueue(at: 0)
    enqueue(at: 1)
    let held = DispatchSemaphore(value: 0)
    renderer.conversions.queue.async { held.wait() }
    let cut = DispatchSemaphore(value: 0)
    renderer.flush(fromSourceTime: MediaTime(value: 1_999, timescale: 1_000)) { _ in cut.signal() }
    cut.wait()
    var heard = [Float](repeating: 0, count: 32_000)
    heard.withUnsafeMutableBufferPointer {
      #expect(renderer.render(frames: 12_000, into: $0.baseAddress!) == 12_000)
    }
    enqueue(at: 3)
    held.signal()
    renderer.finishEnqueuing()
    var count = 12_000
    let limit = HostTime.now() + 60_000_000_000
    while count < 32_000, HostTime.now() < limit {
      count += heard.withUnsafeMutableBufferPointer {
        renderer.render(frames: 32_000 - count, into: $0.baseAddress! + count)
      }
    }
    #expect(count == 32_000)
    #expect(heard[100..<15_900].allSatisfy { abs($0 - 0.5) < 0.01 })
    #expect(heard[16_100..<23_900].allSatisfy { $0 == 0 })
    #expect(heard[24_100..<31_900].allSatisfy { abs($0 - 0.5) < 0.01 })
  }
}
