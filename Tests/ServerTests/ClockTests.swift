// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers
import Testing

@Suite struct ClockTests {
  /// What the clock said between two looks at the host's clock.
  private struct Look {
    let before: UInt64
    let after: UInt64
    let seconds: Double
  }

  @Test(arguments: [Latency.responsive, .powerSaving])
  func `current time is what the monitor hears`(latency: Latency) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let length = 48_000
      let playback = try ServerPlayback(
        TestedServer.shared, (1...5).map { try sound.numbered($0, frames: length) },
        latency: latency)
      playback.player.play()
      let start = try playback.capture.firstSoundFrame()
      var looks: [Look] = []
      while playback.capture.frameCount < start + 5 * length - 4_800 {
        let before = HostTime.now()
        let seconds = playback.player.synchronizer.currentTime().seconds
        looks.append(Look(before: before, after: HostTime.now(), seconds: seconds))
        try playback.listen(frames: 100)
      }
      _ = try playback.finish()
      // A recorded frame can arrive late but not early, and this sink's time is the host's. The first blocks
      // are the recorder's.
      let zero = playback.capture.arrivals.filter { $0.frame > start + length }.map {
        Double($0.hostTime) - Double($0.frame + $0.count - start) * 1e9 / 48_000
      }.min()!
      // Only looks that nothing came in between of.
      let errors = looks.filter { $0.after - $0.before < 300_000 }.map {
        $0.seconds - (Double($0.before) / 2 + Double($0.after) / 2 - zero) / 1e9
      }
      let median = errors.sorted()[errors.count / 2]
      let distances = errors.map { abs($0 - median) }.sorted()
      // On a busy machine the sink itself stands still for a moment, and catches up.
      let usual = distances[distances.count * 95 / 100]
      print(
        "clock at \(latency): median \(median * 1e3) ms, 95 % within \(usual * 1e3) ms, "
          + "worst \(distances.last! * 1e3) ms")
      #expect(errors.count > looks.count / 2)
      let constant = median * 1e3 - TestedServer.clockLead(block: ServerPlayback.block(at: latency))
      #expect(abs(constant) <= 2 + TestedServer.clockError, "\(constant) ms more than it should be")
      #expect(
        usual <= 0.005 + TestedServer.clockError / 1e3, "\(usual) s from the median \(median) s")
      let isMonotonic = zip(looks, looks.dropFirst()).allSatisfy { $0.seconds <= $1.seconds }
      #expect(isMonotonic)
      for item in 1...5 {
        let audible = zero + Double((item - 1) * length) * 1e9 / 48_000
        let told = Double(playback.events.hostTime { $0 == "current \(item).wav" }!)
        #expect(abs(told - audible) <= 60e6, "item \(item): \((told - audible) / 1e6) ms")
      }
      #expect(playback.renderer.underrunCount == 0)
    }
  }
}
