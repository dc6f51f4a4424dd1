// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestFixtures
import Testing

/// Starts so near to the end that there is no frame of the device before it.
@Suite struct LastFrameTests {
  private static let format = AudioFormat(sampleRate: ChapteredSource.rate, layout: .mono)
  private let offline = OfflinePlayback(format: LastFrameTests.format, fade: .none)
  private var player: SampleBufferPlayer { offline.player }

  private func begin(_ items: Int, at rate: Double) {
    player.renderer.audioTimePitchAlgorithm = .varispeed
    for i in 0..<items {
      player.playlist.append(PlaylistItem(ChapteredSource("\(i)", frames: 1_000, [])))
    }
    player.defaultRate = rate
    let frame: Int64 = rate < 0 ? 1 : 999
    player.jump(
      to: rate < 0 ? items - 1 : 0,
      offset: MediaTime(value: frame, timescale: Int32(ChapteredSource.rate)))
  }

  @Test(arguments: [1, 1.25, 2.5, 8, -1, -2.5])
  func `the last frame of all is the end at every rate`(rate: Double) {
    begin(1, at: rate)
    player.play()
    let heard = offline.pullToEnd()
    #expect(heard.count <= 1)
    wait { player.currentItem == nil && player.rate == 0 }
  }

  @Test(arguments: [1, 1.25, 2.5, 8, -1, -2.5])
  func `behind the last frame of an item the next one follows`(rate: Double) {
    begin(2, at: rate)
    player.play()
    #expect(abs(offline.pullToEnd().count - Int(1_000 / abs(rate))) <= 1)
  }

  @Test(arguments: [1, 1.25, 2.5, 8, -1, -2.5])
  func `a sleep timer that ends with the last frame pauses at the next item`(rate: Double) {
    begin(2, at: rate)
    player.sleepTimer = SleepTimer(.item)
    player.play()
    wait {
      _ = offline.renderer.pullOnce(100)
      return player.sleepTimer == nil && player.timeControlStatus == .paused
    }
    offline.settle()
    wait { player.currentItemIndex == (rate < 0 ? 0 : 1) }
  }
}
