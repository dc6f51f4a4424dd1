// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation

/// An item whose place can be heard at any rate, whatever has become of its pitch: bursts at each half
/// second, over a low tone.
///
/// It is 10.3 s long: from its last burst to the next item's first it is not half a second.
enum BurstSound {
  static let length = 494_400
  /// Bursts of an item.
  static let count = 21
  /// What a burst is louder than, and nothing else.
  static let threshold: Float = 0.3

  /// The middle of a burst, counted over all items, in seconds of media time.
  static func middle(_ number: Int) -> Double {
    10.3 * Double(number / count) + 0.5 * Double(number % count) + 0.05
  }

  static func samples() -> [Float] {
    [Float](unsafeUninitializedCapacity: 2 * length) { samples, count in
      for frame in 0..<length {
        let place = frame % 24_000
        // 220 periods are whole at the end of an item too.
        var value = Float(0.04 * sin(2 * .pi * 220 * Double(frame) / 48_000))
        if place < 4_800 {
          let rise = min(1, Double(place) / 48)
          value += Float(0.7 * rise * sin(2 * .pi * 1_000 * Double(place) / 48_000))
        }
        (samples[2 * frame], samples[2 * frame + 1]) = (value, value)
      }
      count = 2 * length
    }
  }
}
