// SPDX-License-Identifier: Apache-2.0

import Measures

/// Follows what is heard frame by frame.
struct FrameCheck {
  /// What items may have.
  let lengths: Set<Int>
  /// Frames heard.
  private(set) var frames: Int64 = 0
  /// Frames heard of the present item.
  private(set) var inItem: Int64 = 0
  /// Items heard to their end.
  private(set) var items = 0
  /// Cuts that were asked for and have not been heard.
  var cutsToCome = 0

  init(lengths: Set<Int>) { self.lengths = lengths }

  /// - Throws: at a frame that is neither the next one nor the first of an item after a whole one.
  mutating func hear(_ samples: UnsafeBufferPointer<Float>) throws(Wrong) {
    var expected = Int(inItem) % NamedFrames.period + 1
    for sample in samples {
      let value = Int(sample * 32_768)
      if value != expected {
        try begin(with: value)
        expected = 1
      }
      expected = expected == NamedFrames.period ? 1 : expected + 1
      inItem += 1
    }
    frames += Int64(samples.count)
  }

  private mutating func begin(with value: Int) throws(Wrong) {
    let isWhole = lengths.contains(Int(inItem))
    guard value == 1, isWhole || cutsToCome > 0 else {
      throw Wrong("\(value) after \(inItem) frames of item \(items), about frame \(frames)")
    }
    if isWhole { items += 1 } else { cutsToCome -= 1 }
    inItem = 0
  }
}
