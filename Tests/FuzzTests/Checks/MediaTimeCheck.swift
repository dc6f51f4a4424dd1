// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaTime

/// Times of any fields, as JSON may bring them, and what is calculated with them.
enum MediaTimeCheck {
  static func run(_ bytes: [UInt8]) throws {
    if bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") {
      try decode(bytes)
    } else {
      try calculate(with: times(bytes))
    }
  }

  private static func decode(_ bytes: [UInt8]) throws {
    let data = Data(bytes)
    let mapping: MediaTimeMapping
    do {
      mapping = try JSONDecoder().decode(MediaTimeMapping.self, from: data)
    } catch is DecodingError {
      return
    }
    let again = try JSONDecoder().decode(
      MediaTimeMapping.self, from: try JSONEncoder().encode(mapping))
    try Finding.unless(again == mapping, "\(mapping) comes back as \(again)")
    try calculate(with: [
      mapping.source.start, mapping.source.duration, mapping.target.start, mapping.target.duration,
    ])
  }

  /// The fields one after the other, 24 bytes a time.
  private static func times(_ bytes: [UInt8]) -> [MediaTime] {
    (0..<4).map { i in
      let field = { (offset: Int, size: Int) in
        (0..<size).reduce(UInt64(0)) { sum, k in
          let place = 24 * i + offset + k
          return sum | (place < bytes.count ? UInt64(bytes[place]) : 0) << (8 * UInt64(k))
        }
      }
      return MediaTime(
        value: Int64(bitPattern: field(0, 8)), timescale: Int32(truncatingIfNeeded: field(8, 4)),
        // Any flags, but a number half the time.
        flags: .init(rawValue: field(12, 4) % 2 == 0 ? 1 : UInt32(field(12, 4))),
        epoch: field(12, 4) % 4 == 0 ? 0 : Int64(bitPattern: field(16, 8)))
    }
  }

  private static func calculate(with times: [MediaTime]) throws {
    for a in times {
      try calculate(with: a)
      for b in times {
        try Finding.unless(a.compare(b) == -b.compare(a), "the order of \(a) and \(b)")
        try Finding.unless((a == b) == (a.compare(b) == 0), "\(a) equals \(b)")
        if a == b {
          try Finding.unless(a.hashValue == b.hashValue, "\(a) and \(b) are equal and hash apart")
        }
        try Finding.unless(a + b == b + a, "the sum of \(a) and \(b)")
        // Nothing but that it comes to an end.
        _ = (a - b, a.multiplied(byFloat64: b.seconds))
      }
    }
    let source = MediaTimeRange(start: times[0], duration: times[1])
    let target = MediaTimeRange(start: times[2], end: times[3])
    let mapping = MediaTimeMapping(source: source, target: target)
    for time in times {
      let folded = source.fold(time)
      try Finding.unless(
        !folded.isNumeric || folded.hasBeenRounded || source.contains(folded)
          || folded == source.start,
        "\(time) folded into \(source) is \(folded)")
      _ = (source.clamp(time), mapping.mapTime(time), mapping.mapDuration(time), mapping.rate)
    }
    _ = (source.union(target), source.intersection(target), source.contains(target))
  }

  private static func calculate(with time: MediaTime) throws {
    for method in MediaTime.RoundingMethod.allCases {
      for scale in [1, 44_100, Int32.max, 0, -1, time.timescale] {
        _ = time.convertScale(scale, method: method)
      }
    }
    let factor = Int32(truncatingIfNeeded: time.epoch)
    _ = (time * factor, time.multiplied(by: factor, dividedBy: time.timescale))
    _ = (time.absoluteValue, "\(time)")
    _ = MediaTime(
      seconds: Double(bitPattern: UInt64(bitPattern: time.value)),
      preferredTimescale: time.timescale)
    guard time.isNumeric else { return }
    let same = time + .zero
    try Finding.unless(same == time || same.hasBeenRounded, "\(time) and nothing is \(same)")
    let exact = RationalTime(time)
    try Finding.unless(
      MediaTime(exact).compare(
        MediaTime(value: time.value, timescale: time.timescale)) == 0,
      "\(time) as a fraction is \(exact)")
    _ = exact.frames(at: 1)
  }
}
