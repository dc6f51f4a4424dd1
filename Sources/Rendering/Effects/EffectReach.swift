// SPDX-License-Identifier: Apache-2.0

import Preconditions
import SampleBuffers

/// Frames around a frame that effects need to process it, all effects of a chain together.
package struct EffectReach: Equatable {
  /// Frames behind it.
  package var latency = 0
  /// Frames in which the sound dies away.
  var tail = 0
  /// Frames before it.
  package var history = 0

  /// Most seconds of all latencies of a chain together.
  static let mostLatency = 0.5
  /// Most seconds before a frame that are given to a new chain.
  static let mostHistory = 0.5
  /// Most seconds in which the sound of a chain dies away.
  ///
  /// A line holds all of it.
  static let mostTail = 10.0

  /// No effects.
  init() {}

  /// The reach of `processors`, one behind the other, for frames of `sampleRate`.
  ///
  /// - Precondition: none is negative, and they are no more than `mostLatency` and `mostTail` together.
  init(_ processors: [any AudioEffectProcessor], sampleRate: Int) {
    for processor in processors {
      let (latency, tail, history) = (processor.latency, processor.tail, processor.history)
      require(
        latency >= 0 && tail >= 0 && history >= 0,
        "an effect with a latency of \(latency) frames, a tail of \(tail) and a history of \(history); 0 and more are permitted"
      )
      self.latency += latency
      self.tail += tail
      self.history += history
    }
    let (latencies, tails) = (
      Int(Self.mostLatency * Double(sampleRate)), Int(Self.mostTail * Double(sampleRate))
    )
    require(
      latency <= latencies,
      "effects with a latency of \(latency) frames; 0...\(latencies) are permitted")
    require(tail <= tails, "effects with a tail of \(tail) frames; 0...\(tails) are permitted")
    history = min(history, Int(Self.mostHistory * Double(sampleRate)))
  }
}
