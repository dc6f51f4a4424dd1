// SPDX-License-Identifier: Apache-2.0

import SoundFiles

@testable import AttaccaNetwork

/// Takes bytes for segments of a stream with timed tags.
///
/// The first byte says of which kind; of MP4 the two behind it say how many bytes the header has.
enum TimedTagCheck {
  static func run(_ bytes: [UInt8]) throws {
    guard let kind = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch kind % 3 {
    case 0: try check(rest)
    case 1: try check([], front: rest)
    default:
      guard rest.count > 2 else { return }
      let size = min(rest.count - 2, Int(rest[0]) << 8 | Int(rest[1]))
      try check(Array(rest.dropFirst(2 + size)), header: Array(rest[2..<2 + size]))
    }
  }

  /// The same segment comes three times.
  private static func check(
    _ segment: [UInt8], front: [UInt8] = [], header: [UInt8] = []
  ) throws {
    var reader = TimedTagReader()
    for _ in 0..<3 {
      let tags = try StepTime.bounded("timed tags") {
        reader.tags(in: segment, front: front, header: header, seconds: 6)
      }
      try Finding.unless(tags.count <= TimedTagReader.most, "\(tags.count) tags")
      try Finding.unless(
        zip(tags, tags.dropFirst()).allSatisfy { $0.ticks <= $1.ticks }, "tags out of order")
      try Finding.unless(
        tags.allSatisfy { $0.frame(at: 48_000) >= 0 && !$0.tags.isEmpty },
        "a tag before the first frame, or of nothing")
    }
  }
}
