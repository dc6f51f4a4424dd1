// SPDX-License-Identifier: Apache-2.0

import DecodeMessages
import MediaTime

extension Chapter {
  /// nil for what is no place in any file.
  init?(_ told: ToldChapter) {
    guard let start = Self.time(UInt64(told.start), timescale: told.timescale) else { return nil }
    self.init(
      title: told.title.isEmpty ? nil : told.title, start: start,
      end: told.end.flatMap { Self.time(UInt64($0), timescale: told.timescale) })
  }
}
