// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import Testing

@Suite struct ConvenienceTests {
  @Test(arguments: 1...8) func `a format of so many channels has their usual layout`(count: Int) {
    let format = AudioFormat(sampleRate: 44_100, channelCount: count)
    #expect(format == AudioFormat(sampleRate: 44_100, layout: .usual(channelCount: count)))
  }

  @Test func `a format of nine channels names the permitted range`() async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = AudioFormat(sampleRate: 44_100, channelCount: 9) }
    #expect(end.says("1 to 8 channels, not 9"))
  }

  @Test func `a buffer of samples holds them, from its time on`() {
    let samples = (0..<12).map(Float.init)
    let buffer = SampleBuffer(
      samples: samples, format: AudioFormat(sampleRate: 48_000, channelCount: 2),
      at: MediaTime(value: 48_001, timescale: 48_000))
    #expect(buffer.frameCount == 6)
    #expect(buffer.time == RationalTime(frames: 48_001, rate: 48_000))
    #expect(buffer.withFrames { Array($0) } == samples)
    let part = SampleBuffer(
      samples: samples[4..<8], format: AudioFormat(sampleRate: 48_000, channelCount: 2), at: .zero)
    #expect(part.withFrames { Array($0) } == [4, 5, 6, 7])
    let none = SampleBuffer(samples: [], format: part.format, at: .zero)
    #expect(none.frameCount == 0)
  }

  @Test func `samples that are no whole frames name what is permitted`() async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = SampleBuffer(
        samples: [1, 2, 3], format: AudioFormat(sampleRate: 48_000, channelCount: 2), at: .zero)
    }
    #expect(end.says("3 samples of 2 channels; whole frames are permitted"))
  }
}
