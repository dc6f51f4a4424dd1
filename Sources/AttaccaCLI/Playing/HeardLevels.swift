// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch

/// The levels of what a renderer's listener hears, for the status line.
final class HeardLevels: @unchecked Sendable {
  // @unchecked: touched only on the queue given to `init`.
  private var meter = LevelMeter()
  private var observation: EventObservation<TappedAudio>?

  /// Reads the tap of `renderer` on `queue`, and calls `changed` there with each piece.
  init(of renderer: AudioRenderer, on queue: DispatchQueue, changed: @escaping @Sendable () -> Void)
  {
    observation = renderer.tap().observe(on: queue) { [weak self] in
      self?.meter.update($0)
      changed()
    }
  }

  /// A level for each channel; silence where nothing is playing.
  func levels(isPlaying: Bool) -> [LevelMeter.Level] {
    // What is heard again begins from there.
    if !isPlaying { meter = LevelMeter() }
    return meter.levels
  }
}
