// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Testing

@Suite struct CurrentTimeTests {
  @Test func `an item is never past its end before the next one is current`() {
    let playback = OfflinePlayback(
      ["ramp 1 1000", "ramp 2 2000"],
      format: AudioFormat(sampleRate: RampSource.rate, layout: .mono),
      decoder: DecoderWatchdog { path throws(SoundFileError) in try RampSource(path: path) })
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

  @Test func `an item is current when it is heard, though what follows it was changed before`() {
    let output = SteppedOutput(reach: 200, sampleRate: RampSource.rate, seconds: 4)
    let renderer = AudioRenderer(output: output, quality: .quick)
    let player = SampleBufferPlayer(
      renderer: renderer, fade: .standard,
      decoder: DecoderWatchdog { path throws(SoundFileError) in try RampSource(path: path) })
    func isPrepared(_ seconds: Double) -> Bool {
      let ahead = output.withLock { renderer.line.contentEnd - renderer.line.map.last.media }
      return player.serializer.isSettled && Double(ahead) > seconds * 2_000
    }
    player.playlist.append(
      contentsOf: ["ramp 1 16000", "ramp 2 6000", "ramp 3 4000"].map { PlaylistItem(path: $0) })
    player.play()
    wait { isPrepared(0.4) }
    output.step(to: 500)
    output.withLock { renderer.callbacks.timelineChanged?() }
    wait { player.currentItem?.path == "ramp 1 16000" }
    player.jump(to: 1)
    // 3 s of the second item, and some of the third.
    wait { isPrepared(3.1) }
    player.playlist.remove(at: 2)
    wait { isPrepared(0) }
    #expect(player.currentItem?.path == "ramp 1 16000")
    output.step(to: 800)
    output.withLock { renderer.callbacks.timelineChanged?() }
    wait { player.currentItem?.path == "ramp 2 6000" }
  }
}
