// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import TestFixtures
import Testing

/// Rendering to the end where playing is paused meanwhile.
@Suite struct RenderToEndTests {
  /// A thread that renders to the end.
  private final class Puller: @unchecked Sendable {
    // @unchecked: `samples` is the thread's until `finish` has waited for its end.
    private let renderer: OfflineRenderer
    private let done = DispatchSemaphore(value: 0)
    private var samples: [Float] = []

    /// Calls `pause` once `count` frames of one channel have come.
    init(
      _ renderer: OfflineRenderer, pausedAfter count: Int, by pause: @escaping @Sendable () -> Void
    ) {
      self.renderer = renderer
      DispatchQueue(label: "pull").async { [self] in
        renderer.renderToEnd(frames: 1_000) {
          let wasBefore = samples.count < count
          samples += $0
          if wasBefore && samples.count >= count { pause() }
        }
        done.signal()
      }
    }

    /// True while it waits for something to render.
    var isWaiting: Bool {
      let output = renderer.output as? OfflineOutput
      return output?.withLock { output?.isPullerWaiting } ?? false
    }

    /// Frames of the whole rendering, once it is over; nil where it is not in 20 s.
    func finish() -> [Float]? {
      done.wait(timeout: .now() + 20) == .success ? samples : nil
    }
  }

  private func line(seconds: Int) -> PulledLine {
    let line = PulledLine()
    for second in 0..<seconds {
      line.renderer.enqueue(
        buffer(ramp(1 + 48_000 * second, 48_000), atFrame: Int64(48_000 * second)))
    }
    return line
  }

  @Test func `a pause is waited out, and no frame is lost`() {
    let line = line(seconds: 1)
    line.renderer.finishEnqueuing()
    let synchronizer = line.synchronizer
    synchronizer.rate = 1
    let puller = Puller(line.renderer, pausedAfter: 10_000) { synchronizer.rate = 0 }
    wait { puller.isWaiting }
    #expect(synchronizer.currentTime() == MediaTime(value: 10_000, timescale: 48_000))
    synchronizer.rate = 1
    #expect(firstDifference(puller.finish() ?? [], ramp(1, 48_000)) == nil)
  }

  @Test func `a flush in a pause, and no more to come, is the end`() {
    let line = line(seconds: 1)
    let synchronizer = line.synchronizer
    synchronizer.rate = 1
    let puller = Puller(line.renderer, pausedAfter: 10_000) { synchronizer.rate = 0 }
    wait { puller.isWaiting }
    line.renderer.flush()
    line.renderer.finishEnqueuing()
    #expect(puller.finish() == ramp(1, 10_000))
  }

  @Test func `a player that is stopped in a pause ends it`() {
    let playback = OfflinePlayback(
      ["ramp 1 16000", "ramp 2 16000"],
      format: AudioFormat(sampleRate: RampSource.rate, layout: .mono), fade: .none,
      decoder: DecoderWatchdog { (path: String) throws(SoundFileError) in
        try RampSource(path: path)
      })
    let player = playback.player
    player.play()
    let puller = Puller(playback.renderer, pausedAfter: 5_000) { player.pause() }
    // It waits for the decoder, too.
    wait { player.rate == 0 && player.serializer.isSettled && puller.isWaiting }
    player.stop()
    let heard = puller.finish()
    #expect(heard?.count ?? 0 >= 5_000 && heard?.count ?? .max < 32_000)
  }
}
