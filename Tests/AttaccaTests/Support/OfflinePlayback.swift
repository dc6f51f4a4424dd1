// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import Testing

/// A player on an offline renderer, pulled by the test.
final class OfflinePlayback {
  let renderer: OfflineRenderer
  let player: SampleBufferPlayer

  init(
    _ paths: [String] = [], format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo),
    fade: Fade = .standard, decoder: DecoderWatchdog = DecoderWatchdog()
  ) {
    renderer = OfflineRenderer(format: format)
    player = SampleBufferPlayer(renderer: renderer, fade: fade, decoder: decoder)
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
    wait {
      done += heard.withUnsafeMutableBufferPointer {
        renderer.render(frames: frames - done, into: $0.baseAddress! + done * channels)
      }
      return done == frames
    }
    return heard
  }

  /// Does `body` and waits until the splice that it asks for has taken place, and the player knows.
  func splicing(_ body: () -> Void) {
    let before = renderer.publishedMap.read().last.traversal
    body()
    wait { renderer.publishedMap.read().last.traversal != before }
    let serializer = player.serializer
    // Until then what is heard has no item.
    wait { serializer.queue.sync { serializer.state.spliceInFlight == nil } }
  }

  /// What is heard from here to the end, interleaved.
  func pullToEnd() -> [Float] {
    var heard: [Float] = []
    renderer.renderToEnd { heard.append(contentsOf: $0) }
    return heard
  }

  /// The same on a thread of its own, from now on: there are two of Swift's, on two cores.
  func pulledToEnd() -> Task<[Float], Never> {
    nonisolated(unsafe) let playback = self
    let (pulled, continuation) = AsyncStream.makeStream(of: [Float].self)
    DispatchQueue(label: "pull").async {
      continuation.yield(playback.pullToEnd())
      continuation.finish()
    }
    return Task { await pulled.first { _ in true } ?? [] }
  }

  /// Waits until everything that was asked for has been carried out, without asking again: what was
  /// not followed must not be mended here.
  func settle() {
    let serializer = player.serializer
    wait { serializer.isSettled }
  }

  /// Waits until the player says that the item with `path` is current: it does a moment after the
  /// first frame was pulled.
  func waitForCurrent(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) {
    wait(sourceLocation: sourceLocation) { player.currentItem?.path == path }
  }

  /// Waits until the timeline has content up to `frame`.
  func waitForContent(upTo frame: Int64) {
    wait { renderer.output.withLock { renderer.line.contentEnd.number } >= frame }
  }
}
