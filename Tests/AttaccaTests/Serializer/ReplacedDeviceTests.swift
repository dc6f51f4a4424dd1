// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Testing

/// Another device, of another format, while a file is late.
@Suite struct ReplacedDeviceTests {
  @Test func `what is read after all has been heard is enqueued for the next device`() {
    let output = SteppedOutput(reach: 200, sampleRate: RampSource.rate, seconds: 4)
    let renderer = AudioRenderer(output: output, quality: .quick)
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let player = SampleBufferPlayer(
      renderer: renderer, fade: .standard,
      decoder: DecoderWatchdog(timeout: 600) { (path: String) throws(SoundFileError) in
        try StallingSource(path: path, place: 6_000, gate: gate)
      })
    player.playlist.append(PlaylistItem(path: "ramp 1 16000"))
    player.play()
    // About so much is read at a time that the rest before the place is not.
    wait { player.serializer.isSettled && output.withLock { renderer.line.contentEnd } >= 4_000 }
    let end = output.withLock { renderer.line.ring.end }
    output.step(to: end)
    output.withLock { renderer.outputNeedsFrames() }
    output.runDry(expectedAt: end + 1)
    #expect(renderer.underrunCount == 1)
    output.withLock {
      #expect(renderer.line.ring.count == 0)
      renderer.outputReplaced(at: end)
    }
    gate.signal()
    wait { output.withLock { renderer.line.contentEnd } > 8_000 }
    #expect(output.withLock { renderer.line.isFinished || renderer.line.ring.count > 0 })
  }

  /// A player of two ramps that plays on an output whose time the test sets, with a second in it.
  private func playing() -> (SteppedOutput, AudioRenderer, SampleBufferPlayer) {
    let output = SteppedOutput(reach: 200, sampleRate: RampSource.rate, seconds: 1)
    let renderer = AudioRenderer(output: output, quality: .quick)
    let player = SampleBufferPlayer(
      renderer: renderer, fade: .standard,
      decoder: DecoderWatchdog(timeout: 600) { (path: String) throws(SoundFileError) in
        try RampSource(path: path)
      })
    player.playlist.append(
      contentsOf: [PlaylistItem(path: "ramp 1 160000"), PlaylistItem(path: "ramp 2 160000")])
    player.play()
    wait { player.serializer.isSettled && output.withLock { renderer.line.transport == .running } }
    return (output, renderer, player)
  }

  private func frame(of player: SampleBufferPlayer) -> Int64 {
    player.currentTime.convertScale(Int32(RampSource.rate), method: .default).value
  }

  // It was heard from 4,800 on: media time was that of before the seek.
  @Test func `a seek that is on its way to the listener begins on the next device`() {
    let (output, renderer, player) = playing()
    output.step(to: 5_000)
    output.withLock { renderer.outputNeedsFrames() }
    let traversal = output.withLock { renderer.line.map.last.traversal }
    player.seek(to: MediaTime(value: 1_000, timescale: Int32(RampSource.rate)))
    wait { output.withLock { renderer.line.map.last.traversal > traversal } }
    wait { player.serializer.isSettled }
    output.withLock { renderer.outputReplaced(at: 5_000) }
    #expect(frame(of: player) == 1_000)
    wait { player.serializer.isSettled && output.withLock { renderer.line.ring.count > 0 } }
    let begin = output.withLock { renderer.line.map.last.media }
    #expect(begin == 1_000 && frame(of: player) == 1_000)
  }
}
