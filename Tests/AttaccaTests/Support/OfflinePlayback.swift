// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation

/// A player on an offline renderer, pulled by the test.
final class OfflinePlayback {
  let renderer: OfflineRenderer
  let player: SampleBufferPlayer

  init(
    _ paths: [String] = [], format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo),
    fade: Fade = .standard, decoding: Decoding = Decoding()
  ) {
    renderer = OfflineRenderer(format: format)
    player = SampleBufferPlayer(renderer: renderer, fade: fade, decoding: decoding)
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
  }

  /// Plays to the end; what was heard, interleaved.
  func playToEnd() -> [Float] {
    player.play()
    var heard: [Float] = []
    renderer.renderToEnd { heard.append(contentsOf: $0) }
    return heard
  }

  /// Pulls exactly `frames` frames, waiting for the decoder where it is behind.
  func pull(_ frames: Int) -> [Float] {
    let channels = renderer.format.channelCount
    var heard = [Float](repeating: 0, count: frames * channels)
    var done = 0
    while done < frames {
      let got = heard.withUnsafeMutableBufferPointer {
        renderer.render(frames: frames - done, into: $0.baseAddress! + done * channels)
      }
      if got == 0 { sched_yield() }
      done += got
    }
    return heard
  }

  /// Does `body` and waits until the splice that it asks for has taken place.
  func splicing(_ body: () -> Void) {
    let before = renderer.publishedMap.read().last.traversal
    body()
    while renderer.publishedMap.read().last.traversal == before { sched_yield() }
  }
}
