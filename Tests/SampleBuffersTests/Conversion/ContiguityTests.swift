// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import Testing

/// When a buffer's time is taken as its predecessor's end, and what becomes of gaps and overlaps.
@Suite("Contiguity") struct ContiguityTests {
  /// `time` to the millisecond: rounded, or cut off.
  private func milliseconds(_ time: RationalTime, isRounded: Bool) -> RationalTime {
    let scaled = time.numerator * 1_000 / Int128(time.denominator)
    return RationalTime(frames: isRounded ? time.frames(at: 1_000) : Int64(scaled), rate: 1_000)
  }

  @Test(arguments: [44_100, 48_000, 96_000], [true, false])
  func `times in whole milliseconds do not crackle`(rate: Int, isRounded: Bool) {
    let sound = Excerpt(of: .tone(1_000), from: .zero, count: 20 * 1_024, rate: rate)
    let exact = sound.buffers { 1_024 }
    let rounded = exact.map { $0.at(milliseconds($0.time, isRounded: isRounded)) }
    #expect(rounded.map(\.time) != exact.map(\.time))
    #expect(firstDifference(converted(rounded, to: 48_000), converted(exact, to: 48_000)) == nil)
  }

  @Test(arguments: [44_100, 48_000])
  func `half a frame is contiguous, more is a gap`(rate: Int) {
    let converter = TimelineConverter(output: AudioFormat(sampleRate: 48_000, layout: .mono))
    let first = SampleBuffer([Float](repeating: 0, count: 999), rate: rate, time: .zero)
    #expect(!converter.isContinued(by: first))
    converter.convert(first) { _, _ in }
    let half = RationalTime(frames: 1, rate: 2 * rate)
    let more = half + RationalTime(frames: 1, rate: 1_000_000_007)
    for (distance, isContinued) in [(RationalTime.zero, true), (half, true), (more, false)] {
      #expect(converter.isContinued(by: first.at(first.endTime + distance)) == isContinued)
      #expect(converter.isContinued(by: first.at(first.endTime - distance)) == isContinued)
    }
  }

  @Test func `a millisecond or more is a gap, also in whole milliseconds`() {
    let converter = TimelineConverter(output: AudioFormat(sampleRate: 48_000, layout: .mono))
    let first = SampleBuffer([Float](repeating: 0, count: 480), rate: 48_000, time: .zero)
    converter.convert(first) { _, _ in }
    #expect(converter.isContinued(by: first.at(RationalTime(frames: 10, rate: 1_000))))
    #expect(!converter.isContinued(by: first.at(RationalTime(frames: 11, rate: 1_000))))
    #expect(!converter.isContinued(by: first.at(RationalTime(frames: 9, rate: 1_000))))
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func `a gap is left out, and what follows begins on its own frame`(rate: Int) {
    let sound = SampleBuffer([Float](repeating: 0.5, count: 3_001), rate: rate, time: .zero)
    let late = sound.endTime + RationalTime(frames: 1_234, rate: 44_100)
    var playback = Playback(rate: 48_000)
    playback.play(sound)
    playback.play(sound.at(late))
    playback.finish()
    let (from, to) = (sound.endTime.frames(at: 48_000), late.frames(at: 48_000))
    #expect(playback.tape.gaps.map(\.at) == [from])
    #expect(playback.tape.gaps.map(\.missing) == [to - from])
    #expect(playback.tape.end == sound.at(late).endTime.frames(at: 48_000))
  }

  @Test func `of frames that overlap the earlier ones stay`() {
    let ramp = (0..<2_000).map(Float.init)
    let sound = SampleBuffer(ramp, rate: 48_000, time: .zero)
    let again = SampleBuffer(
      ramp.map { $0 + 10_000 }, rate: 48_000, time: RationalTime(frames: 1_700, rate: 48_000))
    let heard = converted([sound, again], to: 48_000)
    #expect(heard == ramp + (300..<2_000).map { Float($0 + 10_000) })
  }

  @Test func `converted frames that overlap are left out too`() {
    let sound = Excerpt(of: .tone(1_000), from: .zero, count: 8_820, rate: 44_100)
    let native = SampleBuffer(
      (0..<4_800).map(Float.init), rate: 48_000, time: RationalTime(frames: 4_410, rate: 44_100))
    let heard = converted([sound.buffer(0..<8_820), native], to: 48_000)
    #expect(heard.count == 9_600)
    let alone = converted([sound.buffer(0..<8_820)], to: 48_000)
    #expect(firstDifference(heard, alone) == nil)
  }

  @Test func `frames before time zero have negative numbers`() {
    let sound = Excerpt(
      of: .tone(1_000), from: RationalTime(frames: -2_205, rate: 44_100), count: 4_410,
      rate: 44_100)
    var playback = Playback(rate: 48_000)
    playback.play(sound.buffer(0..<4_410))
    playback.finish()
    #expect(playback.tape.first == -2_400)
    #expect(playback.tape.end == 2_400)
  }
}
