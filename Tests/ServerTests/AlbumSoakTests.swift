// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestFixtures
import TestSeeds
import TestServers
import Testing

/// The real-time cases for as long as wanted: `make soak MINUTES=10`.
@Suite(.enabled(if: Soak.minutes != nil)) struct AlbumSoakTests {
  @Test
  func `an album played over and over, paused and edited, stays exact and takes no more memory`()
    async throws
  {
    let minutes = try #require(Soak.minutes)
    try await onOwnThread { try Self.soak(minutes: minutes) }
  }

  private static func soak(minutes: Double) throws {
    var random = SplitMix64()
    let server = try PrivatePulseServer()
    defer { server.stop() }
    let album = try Fixtures.playlist("cut/cut.m3u8")
    var check = RepeatedAlbum(try Fixtures.samples("cut/uncut.flac"))
    let playback = try ServerPlayback(server, album, fade: .none)
    let (player, playlist) = (playback.player, playback.player.playlist)
    var done: [String] = []
    var (pauses, edits) = (0, 0)
    var guest: PlaylistItem.ID?
    player.play()

    let start = HostTime.now()
    var seconds: Double { Double(HostTime.now() - start) / 1e9 }
    // What is loaded at first use is there after two rounds.
    var (first, next) = (ProcessFootprint?.none, 30.0)
    while seconds < minutes * 60 {
      try playback.listen(frames: .random(in: 4_800..<48_000, using: &random))
      if let difference = check.hear(playback.capture.take()) {
        Issue.record("seed \(random.seed), \(difference), after \(done.suffix(5))")
        return
      }
      // The last items are ten seconds away: what happens to them is never heard.
      if playlist.count < player.currentItemIndex.map({ $0 + 2 * album.count }) ?? 0 {
        playlist.append(contentsOf: album.map { PlaylistItem(path: $0) })
      }
      while let current = player.currentItemIndex, current > 1 { playlist.remove(at: 0) }
      if let id = guest { try playlist.remove(id) }
      guest = nil
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        player.pause()
        try playback.listen(frames: .random(in: 0..<24_000, using: &random))
        player.play()
        pauses += 1
        done.append("pause")
      case 1:
        let item = PlaylistItem(path: album[0])
        playlist.append(item)
        guest = item.id
        done.append("guest")
        edits += 1
      case 2:
        playlist.move(from: playlist.count - 1, to: playlist.count - 3)
        playlist.move(from: playlist.count - 3, to: playlist.count - 1)
        done.append("move")
        edits += 1
      case 3:
        // The same sound from another item, in the middle of what is prepared or behind it.
        guard let current = player.currentItemIndex else { continue }
        let i = current + .random(in: 2...4, using: &random)
        _ = playlist.replace(at: i, with: PlaylistItem(path: playlist[i].path))
        done.append("replace \(i) of \(playlist.count), current \(current)")
        edits += 1
      default: break
      }
      if seconds >= next {
        next += 30
        let footprint = ProcessFootprint()
        if first == nil { first = footprint }
        print(
          """
          soak: \(Int(seconds)) s, \(check.rounds) rounds, \(pauses) pauses, \(edits) edits, \
          \(playback.renderer.underrunCount) underruns, \(footprint)
          """)
      }
    }
    let last = ProcessFootprint()
    print(
      """
      soak: \(check.heard) frames heard, none wrong; \(check.rounds) rounds, \(pauses) pauses, \
      \(edits) edits; \(first.map { "\($0) at 30 s, " } ?? "")\(last) at the end
      """)
    #expect(playback.renderer.underrunCount == 0, "seed \(random.seed)")
    if let first {
      #expect(last.megabytes <= first.megabytes + 4)
      // One file may be open at the moment, or two, and dispatch keeps idle threads for seconds.
      #expect(last.files <= first.files + 2)
      #expect(last.threads <= first.threads + 4)
    }
  }
}
