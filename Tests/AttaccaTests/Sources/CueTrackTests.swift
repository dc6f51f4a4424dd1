// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
import PlaylistFiles
import SoundFiles
import TestFixtures
import Testing

/// Tracks of a sheet that are parts of one file, against the file as a whole.
@Suite struct CueTrackTests {
  /// A sheet of `count` tracks on the fixture of 1,920,000 frames at 48 kHz, 640 of which are a 75th of a second.
  private static func entries(_ name: String, count: Int, every frames: Int64) throws
    -> [PlaylistFile.Entry]
  {
    var text = "FILE \"\(Fixtures.path(name))\" WAVE\n"
    for i in 0..<count {
      let place = Int64(i) * frames
      let clock = [place / 4_500, place / 75 % 60, place % 75].map { $0 < 10 ? "0\($0)" : "\($0)" }
      text +=
        "TRACK \(i + 1) AUDIO\nTITLE \"T\(i + 1)\"\nINDEX 01 \(clock.joined(separator: ":"))\n"
    }
    return try CueSheet(text: Array(text.utf8), name: name).entries(at: "a.cue")
  }

  @Test func `99 tracks played one after the other are the file, to the bit`() throws {
    let entries = try Self.entries("album-uncut.flac", count: 99, every: 29)
    let playback = OfflinePlayback()
    playback.player.playlist.append(contentsOf: PlaylistItem.items(of: entries))
    let heard = playback.playToEnd()
    #expect(firstDifference(heard, try Fixtures.samples("album-uncut.flac")) == nil)
  }

  @Test func `99 tracks rendered on all cores are the file, to the bit`() throws {
    let entries = try Self.entries("album-uncut.flac", count: 99, every: 29)
    let bounce = Bounce(
      PlaylistItem.items(of: entries), format: AudioFormat(sampleRate: 48_000, layout: .stereo))
    var heard: [Float] = []
    bounce.render({ heard.append(contentsOf: $0) }, failed: { Issue.record("\($0)") })
    #expect(firstDifference(heard, try Fixtures.samples("album-uncut.flac")) == nil)
  }

  @Test func `tracks of a lossy file are played as the uncut file is`() throws {
    let name = "album/05 mp3 cbr.mp3"
    let format = AudioFormat(sampleRate: 44_100, layout: .stereo)
    let playback = OfflinePlayback(format: format)
    playback.player.playlist.append(
      contentsOf: PlaylistItem.items(of: try Self.entries(name, count: 20, every: 11)))
    #expect(
      firstDifference(
        playback.playToEnd(), OfflinePlayback([Fixtures.path(name)], format: format).playToEnd())
        == nil)
  }

  @Test func `parts of a file are items of one source, with what the sheet says`() throws {
    let items = PlaylistItem.items(of: try Self.entries("album-uncut.flac", count: 3, every: 75))
    #expect(items.map(\.tags?.title) == ["T1", "T2", "T3"])
    #expect(items.map(\.start.seconds) == [0, 1, 2])
    #expect(items.map(\.end?.seconds) == [1, 2, nil])
    let sources = items.compactMap { $0.source as? SharedFileSource }
    #expect(sources.count == 3 && sources.allSatisfy { $0 === sources[0] })
  }
}
