// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Testing

@Suite struct CurrentTimeTests {
  @Test func `an item is never past its end before the next one is current`() {
    let playback = OfflinePlayback(
      ["ramp 1 1000", "ramp 2 2000"],
      format: AudioFormat(sampleRate: RampSource.rate, layout: .mono),
      decoding: Decoding { path throws(SoundFileError) in try RampSource(path: path) })
    let player = playback.player
    player.play()
    playback.waitForContent(upTo: 3_000)
    #expect(playback.pull(600).last == RampSource.sample(1, 599))
    playback.waitForCurrent("ramp 1 1000")
    // The queue, which is to say so, is busy for now.
    player.serializer.queue.sync {
      #expect(player.currentTime == MediaTime(value: 600, timescale: 2_000))
      #expect(playback.pull(700).last == RampSource.sample(2, 299))
      #expect(player.currentItem?.path == "ramp 1 1000")
      #expect(player.currentTime == player.duration)
    }
    playback.waitForCurrent("ramp 2 2000")
    #expect(player.currentTime == MediaTime(value: 300, timescale: 2_000))
  }
}
