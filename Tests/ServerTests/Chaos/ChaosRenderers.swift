// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import PulseAudio
import TestSeeds

/// Two renderers of a synchronizer without a player, commanded at random by one thread; both are mute,
/// so that what the player plays names itself.
final class ChaosRenderers {
  private let address: String
  private let log: ChaosLog
  private let synchronizer = RenderSynchronizer()
  private let queue = DispatchQueue(label: "chaos")

  init(address: String, log: ChaosLog) { (self.address, self.log) = (address, log) }

  /// The time behind the last buffer of a renderer.
  private final class Feed: @unchecked Sendable {
    // @unchecked: used on one queue only.
    private var next: Int64 = 0
    func fill(_ renderer: AudioRenderer, from time: MediaTime) {
      let now = Int64(max(0, time.seconds) * 48_000)
      if next < now || next > now + 48_000 * 10 { next = now }
      while renderer.isReadyForMoreMediaData {
        let storage = FrameStorage(capacity: 2 * 9_600)
        for i in 0..<2 * 9_600 { storage.samples[i] = 0.25 }
        renderer.enqueue(
          SampleBuffer(
            storage: storage, format: TestSound.format, frameCount: 9_600,
            time: RationalTime(frames: next, rate: 48_000)))
        next += 9_600
      }
    }
  }

  private func add(_ random: inout SplitMix64) {
    guard synchronizer.rate >= 0, synchronizer.renderers.count < 3 else { return }
    do throws(PulseError) {
      let renderer = try PulseAudioRenderer(
        device: ChaosStage.sinks.randomElement(using: &random), server: address,
        applicationName: "attacca tests", mediaName: "chaos")
      renderer.isMuted = true
      let feed = Feed()
      renderer.requestMediaDataWhenReady(on: queue) { [weak renderer, weak synchronizer] in
        guard let renderer, let synchronizer else { return }
        feed.fill(renderer, from: synchronizer.currentTime())
      }
      synchronizer.addRenderer(renderer)
    } catch {
      // There is no server just now.
    }
  }

  /// Gives one command.
  func command(_ random: inout SplitMix64) {
    let frame = Int64.random(in: 0..<20 * 48_000, using: &random)
    let time = MediaTime(value: frame, timescale: 48_000)
    let one = synchronizer.renderers.randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: add(&random)
    case 3: synchronizer.rate = [0, 1, 1, 0.5, 2].randomElement(using: &random)!
    case 4: synchronizer.setRate(1, time: time)
    case 5: synchronizer.setRate(0, time: time)
    case 6:
      let then = HostClock.nanoseconds + UInt64.random(in: 0...800_000_000, using: &random)
      synchronizer.setRate(
        1, time: time, atHostTime: HostClock.mediaTime(ofNanoseconds: then))
    case 7: one?.flush()
    case 8: one?.flush(fromSourceTime: time) { _ in }
    case 9: if let one { synchronizer.removeRenderer(one) }
    case 10: if let one { synchronizer.removeRenderer(one, at: time) }
    default: one?.volume = Float.random(in: 0...1, using: &random)
    }
  }
}
