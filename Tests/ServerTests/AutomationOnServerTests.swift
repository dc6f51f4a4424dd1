// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

/// Volumes by media time at the monitor of a sink, of frames that name themselves: the right channel is the volume,
/// and the left one by it is the place in the file.
@Suite struct AutomationOnServerTests {
  /// 0.25 to 1 over the 10 s of the item.
  private static func volume(_ frame: Double) -> Double { 0.25 + 0.75 * frame / 480_000 }

  private func playback(_ sound: TestSound) throws -> ServerPlayback {
    let playback = try ServerPlayback(
      TestedServer.shared, [sound.numbered(64, frames: 10 * 48_000)], fade: .none)
    playback.renderer.audioTimePitchAlgorithm = .varispeed
    var automation = VolumeAutomation()
    automation.setVolumeRamp(
      fromStartVolume: 0.25, toEndVolume: 1,
      timeRange: MediaTimeRange(start: .zero, duration: MediaTime(value: 10, timescale: 1)))
    let playlist = playback.player.playlist
    try playlist.setVolumeAutomation(automation, of: playlist[0].id)
    return playback
  }

  @Test(arguments: [0.5, 1.5, -1])
  func `an item's ramp of 10 s is right to the frame after seeks, at any rate`(rate: Double)
    async throws
  {
    try await onOwnThread {
      // The file is there for as long as this is.
      let sound = try TestSound()
      let (playback, recording) = try inTime {
        let playback = try self.playback(sound)
        let player = playback.player
        player.defaultRate = rate
        player.jump(to: 0, offset: MediaTime(value: 5, timescale: 1))
        player.play()
        for second in [5, 7, 3, 6] {
          if second != 5 { player.seek(to: MediaTime(value: Int64(second), timescale: 1)) }
          try playback.wait("0.4 s behind \(second) s") {
            let passed = (player.currentTime.seconds - Double(second)) * (rate < 0 ? -1 : 1)
            return (0.4..<1).contains(passed)
          }
        }
        let recording = playback.capture.recording
        player.stop()
        return (playback, recording)
      }
      // A conversion is exact to less than a tenth of a frame, and the ramp to a frame.
      let step = 0.75 / 480_000
      var seconds: Set<Int> = []
      for i in stride(from: 0, to: recording.count, by: 2) where recording[i + 1] != 0 {
        let volume = Double(recording[i + 1]) / 0.5
        let frame = Double(recording[i]) / volume * Double(Heard.frameLimit) - 1
        guard abs(volume - Self.volume(frame)) <= step else {
          Issue.record(
            "frame \(i / 2): a volume of \(volume) at \(frame), not \(Self.volume(frame))")
          break
        }
        seconds.insert(Int(frame / 48_000))
      }
      #expect(seconds.isSuperset(of: rate < 0 ? [4, 6, 2, 5] : [5, 7, 3, 6]))
      #expect(playback.renderer.underrunCount == 0)
    }
  }
}
