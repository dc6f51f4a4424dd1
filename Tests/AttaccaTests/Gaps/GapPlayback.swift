// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Testing

/// A player of ramps, at their own rate, with silence between them.
struct GapPlayback {
  let playback: ReversedPlayback
  var offline: OfflinePlayback { playback.offline }
  var player: SampleBufferPlayer { playback.player }

  /// Items of so many frames, numbered from 1, and silence of `gap` frames.
  init(_ lengths: [Int], gap: Int) {
    playback = ReversedPlayback(
      lengths.enumerated().map { "ramp \($0 + 1) \($1)" })
    player.gap = Self.time(gap)
  }

  static func time(_ frames: Int) -> MediaTime {
    MediaTime(value: Int64(frames), timescale: Int32(RampSource.rate))
  }

  /// What frames of item `number` sound like.
  static func item(_ number: Int, _ frames: Range<Int>) -> [Float] {
    frames.map { RampSource.sample(number, $0) }
  }

  static func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }

  /// Offset in the current item, in frames.
  var offset: Int64 { RationalTime(player.currentTime).frames(at: RampSource.rate) }

  /// Plays `frames` frames, and waits until the player knows what is heard then.
  func pull(_ frames: Int) -> [Float] {
    let heard = offline.pull(frames)
    offline.settle()
    return heard
  }

  /// Waits until item `number` is current.
  func waitForItem(_ number: Int) {
    wait { player.currentItem?.path.hasPrefix("ramp \(number) ") == true }
  }
}
