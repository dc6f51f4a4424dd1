// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch

/// All that a tap tells, from the moment this is made.
final class TappedQueue: @unchecked Sendable {
  // @unchecked: `audio` is touched only on `queue`.
  private let queue = DispatchQueue(label: "tapped")
  private var audio: [TappedAudio] = []
  private var observation: EventObservation<TappedAudio>?

  init(_ tap: EventSequence<TappedAudio>) {
    observation = tap.observe(on: queue) { [weak self] in self?.audio.append($0) }
  }

  /// What has been told, and nothing from now on.
  func finish() -> [TappedAudio] {
    observation?.cancel()
    return queue.sync { audio }
  }
}
