// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch

/// The frames of a player that begins within an item, and so fades in, or at another speed.
final class PlayedItems: RenderingSource {
  private let frames: OfflineFrames
  let player: SampleBufferPlayer
  private let start: MediaTime?
  private let hasEnded = DispatchSemaphore(value: 0)

  init(
    _ items: [PlaylistItem], from start: MediaTime?, by frames: OfflineFrames, fade: Fade
  ) {
    self.frames = frames
    player = SampleBufferPlayer(renderer: frames.renderer, fade: fade)
    player.playlist.append(contentsOf: items)
    self.start = start
  }

  var place: (index: Int, count: Int)? {
    player.currentItemIndex.map { ($0, player.playlist.count) }
  }

  var skippedSilence: MediaTime { player.skippedSilence }

  // Lets go of a thread that waits for frames, or for the end.
  func cancel() { close() }

  func render(
    _ body: (UnsafeBufferPointer<Float>) throws(RenderingEnd) -> Void,
    failed: @escaping @Sendable ([String], _ count: Int) -> Void
  ) throws(RenderingEnd) {
    let events = player.events.observe(on: DispatchQueue(label: "attacca.rendering.events")) {
      [self] event in
      switch event {
      case .itemsDidFail(let failures):
        failed(failures.map { ErrorText.of($0) }, failures.itemCount)
      case .failed(let error):
        failed(["attacca: \(ErrorText.of(error))"], 1)
        close()
      case .endOfQueue: close()
      default: break
      }
    }
    defer {
      events.cancel()
      player.stop()
    }
    if let start { player.begin(at: start) }
    player.play()
    try frames.renderToEnd(body)
    // The end of the queue follows the last frame at once.
    _ = hasEnded.wait(timeout: .now() + 5)
  }

  private func close() {
    // Where nothing could be played the renderer has not been told that nothing follows.
    frames.renderer.finishEnqueuing()
    hasEnded.signal()
  }
}
