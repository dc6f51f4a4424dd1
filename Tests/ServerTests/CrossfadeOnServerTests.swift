// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

/// Items that overlap, at the monitor of a sink.
@Suite struct CrossfadeOnServerTests {
  private static let (length, overlap) = (2 * 48_000, 24_000)
  private static let crossfade = ItemCrossfade(
    duration: MediaTime(value: Int64(overlap), timescale: 48_000))

  private let sound: TestSound
  private let paths: [String]

  init() throws {
    let sound = try TestSound()
    self.sound = sound
    paths = try [1, 2, 3].map { try sound.numbered($0, frames: Self.length) }
  }

  /// What a rendering of the items is, which `CrossfadeBounceTests` compares with the formula.
  private var rendered: [Float] {
    var samples: [Float] = []
    Bounce(
      paths.map { PlaylistItem(path: $0) },
      format: AudioFormat(sampleRate: 48_000, layout: .stereo),
      crossfade: Self.crossfade
    ).render { samples.append(contentsOf: $0) }
    return samples
  }

  /// On a sink that does not rewind: of one that does the monitor misses the first frames of a start, 55 to 105.
  private func play() throws -> ServerPlayback {
    let playback = try ServerPlayback(TestedServer.shared, paths, fade: .none, rewinds: false)
    playback.player.crossfade = Self.crossfade
    playback.player.play()
    return playback
  }

  @Test func `what is heard is the rendering to the bit, and as long`() async throws {
    try await onOwnThread {
      let wanted = rendered
      #expect(wanted.count == 2 * (3 * Self.length - 2 * Self.overlap))
      let playback = try play()
      let recording = try playback.finish()
      let first = try #require(recording.firstIndex { $0 != 0 }) / 2 * 2
      #expect(Array(recording[first...].prefix(wanted.count)) == wanted)
      #expect(recording[first...].dropFirst(wanted.count).allSatisfy { $0 == 0 })
    }
  }

  @Test func `a pause within the overlap goes on with the frame at which it stopped`()
    async throws
  {
    try await onOwnThread {
      let wanted = rendered
      // Behind a pause that comes late what was heard too long is heard again, and that is told.
      let (_, recording) = try inTime {
        let playback = try play()
        let playlist = playback.player.playlist.items
        // Before the item change, and behind it: the overlap begins at 72,000 and ends at 96,000.
        for frame in [76_000, 88_000] {
          try playback.wait("frame \(frame)") {
            let begin =
              playback.player.currentItem == playlist[0] ? 0 : Self.length - Self.overlap
            return playback.player.currentTime.seconds * 48_000 + Double(begin) >= Double(frame)
          }
          playback.player.pause()
          try playback.listen(frames: 24_000)
          playback.player.play()
        }
        return (playback, try playback.finish())
      }
      let sound = stride(from: 0, to: recording.count, by: 2).filter { recording[$0] != 0 }
      let heard = sound.flatMap { [recording[$0], recording[$0 + 1]] }
      let first = zip(heard, wanted).enumerated().first { $1.0 != $1.1 }
      #expect(
        heard.count == wanted.count && first == nil,
        "\(heard.count) of \(wanted.count) samples; \(String(describing: first))")
    }
  }

  /// A speed, and what becomes of the pitch.
  private static let speeds: [(rate: Double, pitch: AudioTimePitchAlgorithm)] = [
    (1.5, .timeDomain), (0.75, .varispeed), (-1, .varispeed),
  ]

  private func set(_ player: SampleBufferPlayer, _ speed: Int) {
    let (rate, pitch) = Self.speeds[speed]
    player.crossfade = Self.crossfade
    player.renderer.audioTimePitchAlgorithm = pitch
    player.defaultRate = rate
    player.play()
  }

  @Test(arguments: 0..<3)
  func `at another speed, with the pitch kept or not, and backwards it is the rendering to the bit`(
    speed: Int
  ) async throws {
    try await onOwnThread {
      let renderer = OfflineRenderer(format: AudioFormat(sampleRate: 48_000, layout: .stereo))
      let offline = SampleBufferPlayer(renderer: renderer, fade: .none)
      offline.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
      set(offline, speed)
      var wanted: [Float] = []
      renderer.renderToEnd { wanted += $0 }
      let frames = Double(3 * Self.length - 2 * Self.overlap) / abs(Self.speeds[speed].rate)
      #expect(wanted.count / 2 == Int(frames))
      // Nothing is changed while it plays: how soon that would be heard does not matter.
      let playback = try ServerPlayback(
        TestedServer.shared, paths, latency: .balanced, fade: .none, rewinds: false)
      set(playback.player, speed)
      let recording = try playback.finish()
      let first = try #require(recording.firstIndex { $0 != 0 }) / 2 * 2
      let begin = try #require(wanted.firstIndex { $0 != 0 }) / 2 * 2
      let heard = Array(recording[first...].prefix(wanted.count - begin))
      let difference = zip(heard, wanted[begin...]).enumerated().first { $1.0 != $1.1 }
      #expect(
        heard.count == wanted.count - begin && difference == nil,
        "\(heard.count) of \(wanted.count); \(String(describing: difference))")
      #expect(recording[first...].dropFirst(heard.count).allSatisfy { $0 == 0 })
      #expect(playback.renderer.underrunCount == 0)
    }
  }
}
