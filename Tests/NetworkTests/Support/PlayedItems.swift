// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation

/// Items that a player plays to their end, on an offline renderer.
enum PlayedItems {
  /// What a player plays of items, and what it tells of waits and failures meanwhile.
  static func play(
    _ items: [PlaylistItem], format: AudioFormat
  ) async throws -> (samples: [Float], told: [String]) {
    let renderer = OfflineRenderer(format: format)
    let player = SampleBufferPlayer(renderer: renderer, fade: .none)
    player.playlist.append(contentsOf: items)
    let told = Told()
    let isOver = DispatchSemaphore(value: 0)
    let events = player.events.observe(on: DispatchQueue(label: "test.events")) { event in
      switch event {
      case .currentItemDidChange(let item?): told.add("plays \(item.bytePath.name)")
      case .waitingBegan(let wait): told.add("+ \(wait.reason) \(wait.detail)")
      case .waitingEnded(let wait): told.add("- \(wait.reason) \(wait.detail)")
      case .itemsDidFail(let failures): told.add("fails \(failures[0].item.bytePath.name)")
      case .endOfQueue:
        told.add("end")
        // Where nothing was played.
        renderer.finishEnqueuing()
        isOver.signal()
      default: break
      }
    }
    player.play()
    let samples = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var samples: [Float] = []
        renderer.renderToEnd { samples += $0 }
        isOver.wait()
        continuation.resume(returning: samples)
      }
    }
    events.cancel()
    player.stop()
    return (samples, told.lines)
  }

  final class Told: @unchecked Sendable {
    // @unchecked: touched only between wait and signal of `semaphore`.
    private let semaphore = DispatchSemaphore(value: 1)
    private var stored: [String] = []
    func add(_ line: String) {
      semaphore.wait()
      stored.append(line)
      semaphore.signal()
    }
    var lines: [String] {
      semaphore.wait()
      defer { semaphore.signal() }
      return stored
    }
  }
}
