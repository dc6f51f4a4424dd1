// SPDX-License-Identifier: Apache-2.0

import Foundation
import PulseAudio
@testable import Rendering
import TestSeeds
import TestServers
import Testing

@testable import Attacca

/// A process that does not come to give the server frames in time.
@Suite struct LateProcessTests {
  /// How late it comes, in microseconds: longer than what the server holds now and then.
  struct Case: CustomTestStringConvertible, Sendable {
    let latency: Latency
    let late: ClosedRange<UInt32>
    let isBusy: Bool

    var testDescription: String {
      "\(latency.targetMilliseconds) ms\(isBusy ? ", on a busy machine" : "")"
    }
  }

  static let cases = [false, true].flatMap { isBusy in
    [
      Case(latency: .low, late: 20_000...150_000, isBusy: isBusy),
      Case(latency: .balanced, late: 250_000...900_000, isBusy: isBusy),
    ]
  }

  @Test(arguments: cases)
  func `a process that is late makes gaps, and loses no frame`(_ lateness: Case) async throws {
    try await onOwnThread {
      var random = SplitMix64()
      print("a late process, seed \(random.seed)")
      let sound = try TestSound()
      let length = 6 * 48_000
      let playback = try ServerPlayback(
        TestedServer.shared, [sound.numbered(1, frames: length)], latency: lateness.latency,
        fade: .none)
      playback.player.play()
      try playback.waitUntilHeard(frame: 4_800)
      let load = lateness.isBusy ? Load() : nil
      while playback.player.synchronizer.currentTime().seconds < 5 {
        // What the main loop's thread waits for, as where it has no processor.
        let late = UInt32.random(in: lateness.late, using: &random)
        playback.renderer.output.withLock { _ = usleep(late) }
        try playback.listen(frames: .random(in: 480...14_400, using: &random))
      }
      load?.end()
      let account = Account(try playback.finish())
      #expect(playback.renderer.underrunCount > 0)
      #expect(account.lost == 0, "seed \(random.seed): \(account)")
      #expect(account.end == length, "\(account)")
    }
  }
}
