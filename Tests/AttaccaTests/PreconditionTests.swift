// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
import SampleBuffers
import Testing

/// The message of a caller's bug, by one public precondition of each kind.
///
/// It is `fatalError` that prints it, in optimized builds too. Ranges that are a matter of taste do not
/// trap.
@Suite struct PreconditionTests {
  @Test func `a fade of less than nothing names the permitted range`() async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Fade(milliseconds: -1) }
    #expect(end.says("a fade of -1 ms; 0...1000 are permitted"))
  }

  @Test func `a fade of more than a second is one of a second`() {
    #expect(Fade(milliseconds: 1_500).milliseconds == 1_000)
    #expect(Fade(milliseconds: 1_000).milliseconds == 1_000)
  }

  @Test func `a jump behind the list names the permitted range`() async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { SampleBufferPlayer(renderer: NullRenderer()).jump(to: 3) }
    #expect(end.says("a jump to 3; 0..<0 are permitted"))
  }

  @Test func `a player's rate beyond those there are is the nearest of them`() {
    let player = SampleBufferPlayer(renderer: NullRenderer())
    player.defaultRate = -100
    #expect(player.defaultRate == -32)
    player.defaultRate = 0.001
    #expect(player.defaultRate == 0.03125)
  }

  @Test func `a sample rate that there is not names the permitted range`() async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = AudioFormat(sampleRate: 0, layout: .stereo) }
    #expect(end.says("a sample rate of 0 Hz; 1...768000 are permitted"))
  }

  @Test func `a channel that there is not names the permitted range`() async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = ChannelLayout.stereo[2] }
    #expect(end.says("channel 2; 0..<2 are there"))
  }
}
