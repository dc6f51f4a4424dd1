// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A frame of a file whose frames name themselves.
struct NamedFrame: Hashable, CustomStringConvertible {
  let item: Int
  /// Counted from 0.
  let frame: Int

  var description: String { "frame \(frame) of item \(item)" }
}

/// The files whose frames name themselves, by the number of the item.
struct NamedItems: Sendable {
  /// Interleaved frames, as they are heard.
  private let samples: [Int: [Float]]

  /// Items of so many frames.
  init(lengths: [Int: Int]) {
    samples = Dictionary(
      uniqueKeysWithValues: lengths.map { ($0, TestSound.numbered($0, 0..<$1)) })
  }

  /// Frames of an item.
  func length(of item: Int) -> Int { (samples[item]?.count ?? 0) / 2 }

  /// The frame that two samples are, if they are one.
  func frame(_ left: Float, _ right: Float) -> NamedFrame? {
    let (number, item) = (left * Float(Heard.frameLimit), right * Float(Heard.itemLimit))
    guard number >= 1, number == number.rounded(), item >= 1, item == item.rounded(),
      Int(number) <= length(of: Int(item))
    else { return nil }
    return NamedFrame(item: Int(item), frame: Int(number) - 1)
  }

  /// The samples of a frame; nil before an item's first and behind its last one.
  func sound(of place: NamedFrame) -> (left: Float, right: Float)? {
    guard let samples = samples[place.item], place.frame >= 0, place.frame < samples.count / 2
    else { return nil }
    return (samples[2 * place.frame], samples[2 * place.frame + 1])
  }

  /// How many of `count` recorded frames are those of an item from `place` on.
  func matches(_ heard: UnsafePointer<Float>, _ count: Int, from place: NamedFrame) -> Int {
    let count = min(count, length(of: place.item) - place.frame)
    guard count > 0 else { return 0 }
    return samples[place.item]!.withUnsafeBufferPointer { samples in
      let expected = samples.baseAddress! + 2 * place.frame
      // Most come whole: without sanitizers a loop over them costs a tenth of a core.
      if memcmp(heard, expected, 2 * count * MemoryLayout<Float>.size) == 0 { return count }
      var i = 0
      while i < count, heard[2 * i] == expected[2 * i], heard[2 * i + 1] == expected[2 * i + 1] {
        i += 1
      }
      return i
    }
  }
}
