// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import Testing

@Suite("Sample buffers") struct SampleBufferTests {
  /// 12 stereo frames whose samples are their own indices; 3 and 2 of them trimmed.
  private func buffer() -> SampleBuffer {
    let storage = FrameStorage(capacity: 24)
    for i in 0..<24 { storage.samples[i] = Float(i) }
    return SampleBuffer(
      storage: storage, format: AudioFormat(sampleRate: 44_100, layout: .stereo), frameCount: 12,
      time: RationalTime(frames: 1_000, rate: 44_100), trimAtStart: 3, trimAtEnd: 2)
  }

  private func samples(_ buffer: SampleBuffer) -> [Float] { buffer.withFrames { Array($0) } }

  @Test func `the time is that of the first heard frame, the end that of the last`() {
    #expect(buffer().heardFrameCount == 7)
    #expect(buffer().endTime == RationalTime(frames: 1_007, rate: 44_100))
  }

  @Test func `slices of the heard frames join to the whole, trims at the ends`() {
    let whole = buffer()
    for cut in 1..<whole.heardFrameCount {
      let (a, b) = (whole.slice(0..<cut), whole.slice(cut..<7))
      #expect(samples(a) + samples(b) == samples(whole))
      #expect((a.trimAtStart, a.heardFrameCount, a.trimAtEnd) == (3, cut, 0))
      #expect((b.trimAtStart, b.heardFrameCount, b.trimAtEnd) == (0, 7 - cut, 2))
      #expect(a.endTime == b.time)
      #expect(b.endTime == whole.endTime)
    }
  }

  @Test func `a slice of a slice is the slice of the whole`() {
    let inner = buffer().slice(1..<6).slice(2..<4)
    #expect(samples(inner) == [12, 13, 14, 15])
    #expect(inner.time == RationalTime(frames: 1_003, rate: 44_100))
  }

  @Test func `an empty slice at the start keeps the history only`() {
    let history = buffer().slice(0..<0)
    #expect(history.heardFrameCount == 0)
    #expect(samples(history) == [0, 1, 2, 3, 4, 5])
  }

  @Test func `a slice beyond what is heard is the caller's fault`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = FrameStorage(capacity: 4)
      let buffer = SampleBuffer(
        storage: storage, format: AudioFormat(sampleRate: 1, layout: .mono), frameCount: 4,
        time: .zero, trimAtEnd: 1)
      _ = buffer.slice(0..<4)
    }
    #expect(end.says("frames 0..<4; 0..<3 are heard"))
  }
}
