// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestFixtures
import TestServers
import Testing

@Suite struct AlbumOnServerTests {
  @Test func `a cut album comes out of the monitor as the uncut original`() async throws {
    try await onOwnThread {
      let playback = try ServerPlayback(TestedServer.shared, Fixtures.playlist("cut/cut.m3u8"))
      let uncut = try Fixtures.samples("cut/uncut.flac")
      playback.player.play()
      let recording = try playback.finish()
      let start = 2 * (try playback.capture.firstSoundFrame())
      #expect(firstDifference(Array(recording[start...].prefix(uncut.count)), uncut) == nil)
      let last = recording.lastIndex { $0 != 0 }
      let end = uncut.lastIndex { $0 != 0 }!
      #expect(last == start + end)
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  /// Tracks of the album of all formats, rates and channel counts; the whole takes 40 s.
  @Test(
    arguments: [0..<5, 5..<9, 8..<13, 12..<15], TestedServer.sinkRates
  )
  func `mixed formats are heard as they are rendered offline, to the last frame`(
    tracks: Range<Int>, rate: Int
  ) async throws {
    try await onOwnThread {
      let paths = Array(try Fixtures.playlist("album/album.m3u8")[tracks])
      let format = AudioFormat(sampleRate: rate, layout: .stereo)
      let rendered = Self.renderOffline(paths, format)
      let playback = try ServerPlayback(TestedServer.shared, paths, format: format)
      playback.player.play()
      let recording = try playback.finish()
      let first = rendered.firstIndex { $0 != 0 }! / 2
      let start = 2 * (try playback.capture.firstSoundFrame() - first)
      #expect(firstDifference(Array(recording[start...].prefix(rendered.count)), rendered) == nil)
      let last = recording.lastIndex { $0 != 0 }
      let end = rendered.lastIndex { $0 != 0 }!
      #expect(last == start + end)
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  private static func renderOffline(_ paths: [String], _ format: AudioFormat) -> [Float] {
    let renderer = OfflineRenderer(format: format)
    let player = SampleBufferPlayer(renderer: renderer)
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
    player.play()
    var samples: [Float] = []
    renderer.renderToEnd { samples.append(contentsOf: $0) }
    return samples
  }
}
