// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import Testing

/// The tables of docs/design/0002-channel-mixing.md.
@Suite("Channel mixing") struct ChannelMixerTests {
  private static let third = Float(0.5.squareRoot())  // -3 dB

  private func mixed(_ frame: [Float], _ input: ChannelLayout, _ output: ChannelLayout) -> [Float] {
    let mixer = ChannelMixer(from: input, to: output)
    var result = [Float](repeating: .nan, count: output.channelCount)
    result.withUnsafeMutableBufferPointer { target in
      if let target = target.baseAddress { mixer.mix(frame, frameCount: 1, into: target) }
    }
    return result
  }

  /// What each input channel alone gives, channel by channel.
  private func rows(_ input: ChannelLayout, _ output: ChannelLayout) -> [[Float]] {
    (0..<input.channelCount).map { i in
      mixed((0..<input.channelCount).map { $0 == i ? 1 : 0 }, input, output)
    }
  }

  @Test func `mono goes to both sides at full level, and stereo to mono as the mean`() {
    #expect(rows(.mono, .stereo) == [[1, 1]])
    #expect(rows(.stereo, .mono) == [[0.5], [0.5]])
    #expect(rows(.mono, .surround51) == [[1, 1, 0, 0, 0, 0]])
    #expect(rows(ChannelLayout([.frontCenter]), .stereo) == [[1, 1]])
  }

  @Test func `5.1 to stereo has centre and surrounds at -3 dB and no low frequencies`() {
    let s = Self.third
    #expect(rows(.surround51, .stereo) == [[1, 0], [0, 1], [s, s], [0, 0], [s, 0], [0, s]])
    #expect(rows(.surround51, .mono) == [[0.5], [0.5], [s], [0], [s / 2], [s / 2]])
  }

  @Test func `more to stereo: 3.0, 4.0, 5.0, 6.1 and 7.1`() {
    let s = Self.third
    #expect(rows(.surround30, .stereo) == [[1, 0], [0, 1], [s, s]])
    #expect(rows(.quad, .stereo) == [[1, 0], [0, 1], [s, 0], [0, s]])
    #expect(rows(.surround50, .stereo) == [[1, 0], [0, 1], [s, s], [s, 0], [0, s]])
    #expect(
      rows(.surround61, .stereo)
        == [[1, 0], [0, 1], [s, s], [0, 0], [0.5, 0.5], [s, 0], [0, s]])
    #expect(
      rows(.surround71, .stereo)
        == [[1, 0], [0, 1], [s, s], [0, 0], [s, 0], [0, s], [s, 0], [0, s]])
  }

  @Test func `7.1 to 5.1 folds the sides into the backs at -3 dB`() {
    let s = Self.third
    let matrix = rows(.surround71, .surround51)
    for i in 0..<6 { #expect(matrix[i] == (0..<6).map { $0 == i ? 1 : 0 }) }
    #expect(matrix[6] == [0, 0, 0, 0, s, 0])
    #expect(matrix[7] == [0, 0, 0, 0, 0, s])
  }

  @Test func `surrounds at the sides and at the back are the same pair where there is one only`() {
    let side = ChannelLayout([
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight,
    ])
    #expect(ChannelMixer(from: side, to: .surround51).isIdentity)
    #expect(rows(side, .stereo) == rows(.surround51, .stereo))
  }

  @Test func `5.1 in WAVE and in Vorbis order mixes down alike`() {
    let vorbis = ChannelLayout([
      .frontLeft, .frontCenter, .frontRight, .backLeft, .backRight, .lowFrequency,
    ])
    let frame: [Float] = [0.11, 0.23, 0.37, 0.53, 0.71, 0.97]
    let reordered = vorbis.speakers.map { speaker in
      ChannelLayout.surround51.firstIndex(of: speaker).map { frame[$0] } ?? .nan
    }
    #expect(mixed(reordered, vorbis, .surround51) == frame)
    for output in [ChannelLayout.mono, .stereo, .quad, .surround71] {
      #expect(
        zip(mixed(reordered, vorbis, output), mixed(frame, .surround51, output))
          .allSatisfy { abs($0 - $1) <= $1.ulp })
    }
  }

  @Test func `more speakers than channels leave the others silent and copy to the bit`() {
    let odd = Float(bitPattern: 0x3EAA_AAAB)
    #expect(mixed([odd, -odd], .stereo, .surround51) == [odd, -odd, 0, 0, 0, 0])
    #expect(mixed([odd], .mono, .stereo) == [odd, odd])
  }

  @Test func `no usual layout loses a speaker but that for low frequencies`() {
    for input in (1...8).map(ChannelLayout.usual) {
      for output in (1...8).map(ChannelLayout.usual) {
        for (speaker, row) in zip(input.speakers, rows(input, output))
        where speaker != .lowFrequency {
          #expect(row.contains { $0 != 0 }, "\(speaker) from \(input) to \(output)")
        }
      }
    }
  }

  @Test func `swapping left and right before mixing swaps them after`() {
    let mirror: [ChannelLayout.Speaker: ChannelLayout.Speaker] = [
      .frontLeft: .frontRight, .frontRight: .frontLeft, .backLeft: .backRight,
      .backRight: .backLeft, .sideLeft: .sideRight, .sideRight: .sideLeft,
    ]
    for input in (1...8).map(ChannelLayout.usual) {
      let swapped = ChannelLayout(input.speakers.map { mirror[$0] ?? $0 })
      #expect(
        rows(input, .stereo) == rows(swapped, .stereo).map { Array($0.reversed()) }, "\(input)")
    }
  }
}
