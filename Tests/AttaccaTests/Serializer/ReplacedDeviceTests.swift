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
}
