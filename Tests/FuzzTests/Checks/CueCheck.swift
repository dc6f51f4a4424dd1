// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PlaylistFiles
import SoundFiles

/// Reads bytes as a cue sheet.
enum CueCheck {
  static func run(_ bytes: [UInt8]) throws {
    for pregaps in CueSheet.Pregaps.allCases {
      do {
        let entries = try StepTime.bounded("a cue sheet") {
          try CueSheet(text: bytes, name: "a.cue").entries(at: "/nowhere/a.cue", pregaps: pregaps)
        }
        for entry in entries {
          try Finding.unless(
            entry.start >= .zero && entry.end.map { $0 >= entry.start } ?? true,
            "a track from \(entry.start) to \(entry.end ?? .zero)")
          try Finding.unless(entry.title != "", "a title of nothing")
        }
      } catch let error as SoundFileError {
        try Finding.unless(error.kind == .broken, "an error of another kind: \(error)")
      }
    }
  }
}
