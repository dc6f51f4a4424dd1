// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Foundation
@testable import Rendering
import TestFixtures
import Testing

@Suite struct EditAheadTests {
  /// Short items, several of which are ahead of what is heard.
  @Test func `a second edit finds what the first has left as it was`() throws {
    let uncut = try Fixtures.samples("cut/uncut.flac")
    let paths = try Fixtures.playlist("cut/cut.m3u8")
    let fourth = try ["01.flac", "02.wav", "03.aiff"].reduce(0) { frames, name in
      frames + (try Fixtures.samples("cut/" + name).count) / 2
    }
    let playback = OfflinePlayback(paths, fade: .none)
    let (playlist, renderer) = (playback.player.playlist, playback.renderer)
    func generation() -> Int { renderer.output.withLock { renderer.line.generation } }
    playback.player.play()
    let before = playback.pull(134_400)
    // The fourth item is enqueued: replacing it takes a splice.
    playback.waitForContent(upTo: Int64(fourth + 2_000))
    let old = generation()
    _ = playlist.replace(at: 3, with: PlaylistItem(path: playlist[3].path))
    // Spliced in: the second edit finds the first one's content in the line.
    wait { generation() != old }
    playlist.append(PlaylistItem(path: playlist[0].path))
    var heard = before
    renderer.renderToEnd { heard.append(contentsOf: $0) }
    let first = try Fixtures.samples("cut/01.flac")
    #expect(firstDifference(heard, uncut + first) == nil)
  }

  @Test func `a seek does not wait for what is removed meanwhile`() {
    let (gate, isOpening) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let decoder = DecoderWatchdog(timeout: 60) { path throws(SoundFileError) in
      if path == "hang" {
        isOpening.signal()
        return HangingSource(gate: gate)
      }
      return try RampSource(path: path)
    }
    defer { gate.signal() }
    let playback = OfflinePlayback(
      ["ramp 1 16000", "ramp 2 100", "hang"],
      format: AudioFormat(sampleRate: RampSource.rate, layout: .mono), fade: .none,
      decoder: decoder)
    playback.player.play()
    #expect(playback.pull(10).last == RampSource.sample(1, 9))
    // 50 ms are not enough to be spliced in.
    playback.player.jump(to: 1)
    isOpening.wait()
    playback.player.playlist.remove(at: 2)
    playback.settle()
    #expect(playback.pull(100) == (0..<100).map { RampSource.sample(2, $0) })
  }
}
