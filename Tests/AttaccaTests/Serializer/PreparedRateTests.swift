// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Synchronization
import Testing

/// Another rate for which content is being prepared when something else comes before it.
@Suite struct PreparedRateTests {
  /// Opens ramps; the first one for a second time only once it is let go.
  private final class SecondOpening: Sendable {
    private let openings = Atomic<Int>(0)
    private let isReached = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)

    var decoder: DecoderWatchdog {
      DecoderWatchdog(timeout: 600) { [self] (path: String) throws(SoundFileError) in
        if path.hasPrefix("ramp 1 "), openings.add(1, ordering: .relaxed).newValue == 2 {
          isReached.signal()
          gate.wait()
        }
        return try RampSource(path: path)
      }
    }

    func reach() { #expect(isReached.wait(timeout: .now() + 60) == .success) }
    func letGo() { gate.signal() }
  }

  @Test func `a rate that is prepared is heard though the next item and an edit come first`() {
    let output = SteppedOutput(reach: 200, sampleRate: RampSource.rate, seconds: 4)
    let renderer = AudioRenderer(output: output, quality: .quick)
    let opening = SecondOpening()
    let player = SampleBufferPlayer(
      renderer: renderer, fade: .standard, decoder: opening.decoder)
    defer { opening.letGo() }
    renderer.audioTimePitchAlgorithm = .varispeed
    player.playlist.append(
      contentsOf: ["ramp 1 2000", "ramp 2 16000"].map { PlaylistItem(path: $0) })
    player.rate = 0.5
    wait { player.serializer.isSettled && output.withLock { renderer.line.contentEnd } > 6_000 }
    output.step(to: 500)
    output.withLock { renderer.callbacks.timelineChanged?() }
    wait { player.currentItem?.path == "ramp 1 2000" }

    player.rate = 1
    opening.reach()
    output.step(to: 4_600)
    output.withLock { renderer.callbacks.timelineChanged?() }
    wait { player.currentItem?.path == "ramp 2 16000" }
    player.playlist.append(PlaylistItem(path: "ramp 3 4000"))
    wait { !player.serializer.hasToFollow }
    let isOnItsWay = player.serializer.queue.sync {
      player.serializer.state.preparedSplice != nil || player.serializer.state.spliceInFlight != nil
        || !renderer.isStale
    }
    #expect(isOnItsWay)
    guard isOnItsWay else { return }
    wait { player.serializer.isSettled }
    #expect(renderer.timelineRate == RampSource.rate)
  }
}
