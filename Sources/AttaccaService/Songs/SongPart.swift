// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Part of a song, from one moment to another.
struct SongPart: Hashable, Sendable {
  /// Nanoseconds from the file's beginning.
  let start: Int64
  /// Nanoseconds from the file's beginning; nil for its end.
  let end: Int64?

  /// Nanoseconds of decimal seconds, to the nearest.
  static func nanoseconds(_ seconds: Double) -> Int64 {
    Int64(min(max(seconds, 0), 9e9) * 1e9 + 0.5)
  }

  /// A time of nanoseconds.
  static func time(_ nanoseconds: Int64) -> MediaTime {
    MediaTime(value: nanoseconds, timescale: 1_000_000_000)
  }

  /// Nanoseconds of a time, rounded; nil of one that is no number.
  static func nanoseconds(_ time: MediaTime) -> Int64? {
    guard time.isNumeric, abs(time.seconds) < 9e9 else { return nil }
    return Int64((time.seconds * 1e9).rounded())
  }
}

extension SongPart {
  /// A part as it was kept, in nanoseconds; nil of one that begins nowhere, and up to the file's end where it ends before.
  init?(kept start: Int64?, to end: Int64?) {
    guard let start, start >= 0 else { return nil }
    self.init(start: start, end: end.flatMap { $0 < start ? nil : $0 })
  }
}
