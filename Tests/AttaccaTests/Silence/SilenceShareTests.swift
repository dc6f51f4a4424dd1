// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Testing

/// Against the numbers that Media3's `SilenceSkippingAudioProcessor` gives with its defaults.
@Suite struct SilenceShareTests {
  private func skipped(_ count: Int64, rate: Int, channels: Int) -> Int64 {
    let format = AudioFormat(sampleRate: rate, layout: .usual(channelCount: channels))
    var share = SilenceShare(SilenceSkipping(), format: format)
    share.begin()
    share.grow(to: count)
    return count < share.least ? 0 : count - share.head - share.tail(of: count)
  }

  @Test(arguments: [
    (44_100, 2, [1: 0, 882: 0, 1_102: 0, 1_103: 1, 2_204: 882, 2_212: 889, 14_700: 10_884]),
    (44_100, 2, [44_100: 34_414, 220_503: 175_601, 1_323_000: 1_234_800]),
    (48_000, 1, [1: 0, 960: 0, 1_200: 0, 1_201: 1, 2_400: 960, 2_407: 966, 16_000: 11_840]),
    (48_000, 1, [48_000: 37_440, 240_003: 191_043, 1_440_000: 1_344_000]),
    (
      8_000, 6,
      [200: 0, 201: 1, 400: 160, 407: 166, 2_666: 1_973, 40_003: 31_843, 240_000: 224_000]
    ),
    (22_050, 2, [550: 0, 551: 1, 552: 2, 1_102: 442, 1_109: 448, 7_350: 5_440, 661_500: 617_400]),
  ])
  func `as many frames are left out of a silence as Media3 leaves out`(
    rate: Int, channels: Int, numbers: [Int64: Int64]
  ) {
    for (count, expected) in numbers {
      #expect(skipped(count, rate: rate, channels: channels) == expected, "of \(count)")
    }
  }

  @Test(arguments: [1, 7, 550, 100_000])
  func `what is kept depends on the silence alone, not on how it comes in`(step: Int64) {
    let format = AudioFormat(sampleRate: 44_100, layout: .stereo)
    var (whole, pieces) = (
      SilenceShare(SilenceSkipping(), format: format),
      SilenceShare(SilenceSkipping(), format: format)
    )
    whole.grow(to: 100_000)
    for count in stride(from: step, through: 100_000, by: Int(step)) { pieces.grow(to: count) }
    pieces.grow(to: 100_000)
    #expect(pieces.head == whole.head)
    #expect(pieces.tail(of: 100_000) == whole.tail(of: 100_000))
  }
}
