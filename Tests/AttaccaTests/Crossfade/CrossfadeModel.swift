// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation

/// What a list of items at one rate sounds like that overlap: sums of whole items times gains, calculated apart.
struct CrossfadeModel {
  struct Item {
    let length: Int
    let sample: (Int) -> Double
  }

  let items: [Item]
  /// Frames of an overlap where there is room for it.
  let wanted: Int
  var isEqualPower = true
  /// Pairs, by the first one's index, that do not overlap.
  var apart: Set<Int> = []

  /// Frames by which each item but the last overlaps with the next one.
  var overlaps: [Int] {
    var overlaps: [Int] = []
    for i in items.indices.dropLast() {
      let left = items[i].length - (i > 0 ? overlaps[i - 1] : 0)
      let room = i + 2 < items.count ? items[i + 1].length / 2 : items[i + 1].length
      let overlap = min(wanted, left, room)
      overlaps.append(apart.contains(i) || overlap < 2 ? 0 : overlap)
    }
    return overlaps
  }

  var count: Int { items.map(\.length).reduce(0, +) - overlaps.reduce(0, +) }

  /// Frames at which items begin.
  var starts: [Int] {
    var starts = [0]
    for (i, overlap) in overlaps.enumerated() {
      starts.append(starts[i] + items[i].length - overlap)
    }
    return starts
  }

  /// Frames at which items become current.
  var changes: [Int] {
    zip(overlaps, starts.dropFirst()).map { overlap, start in start + overlap - overlap / 2 }
  }

  var samples: [Double] {
    var result = [Double](repeating: 0, count: count)
    let (overlaps, starts) = (overlaps, starts)
    for (i, item) in items.enumerated() {
      let before = i > 0 ? overlaps[i - 1] : 0
      let behind = i < overlaps.count ? overlaps[i] : 0
      for n in 0..<item.length {
        var value = item.sample(n)
        if n < before { value *= gain(Double(n) / Double(before)) }
        let left = item.length - n
        if left <= behind { value *= gain(Double(left) / Double(behind)) }
        result[starts[i] + n] += value
      }
    }
    return result
  }

  /// The gain of what enters; of what leaves it is the same as far from the end.
  private func gain(_ progress: Double) -> Double {
    isEqualPower ? sin(progress * .pi / 2) : progress
  }
}

/// The frame at which `heard` is furthest from `wanted`, and how far.
func furthest(_ heard: some Sequence<Float>, _ wanted: some Sequence<Double>) -> (
  frame: Int, distance: Double
) {
  var furthest = (frame: 0, distance: 0.0)
  // Minutes of sound in a debug build: sequences of sequences took a twentieth of all tests' time.
  var (frame, heard, wanted) = (0, heard.makeIterator(), wanted.makeIterator())
  while let a = heard.next(), let b = wanted.next() {
    if abs(Double(a) - b) > furthest.distance { furthest = (frame, abs(Double(a) - b)) }
    frame += 1
  }
  return furthest
}
