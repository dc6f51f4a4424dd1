// SPDX-License-Identifier: Apache-2.0

import PlaylistFiles
import SoundFiles

/// Reads bytes as a list of a network.
enum ListCheck {
  static func run(_ bytes: [UInt8]) throws {
    do {
      let entries = try StepTime.bounded("a list") {
        try PlaylistFile(text: bytes, name: "x").entries
      }
      try Finding.unless(entries.count <= bytes.count, "\(entries.count) entries")
      let most = 3 * bytes.count + 8
      try Finding.unless(
        entries.reduce(0) { $0 + $1.path.bytes.count } <= most * 2, "names longer than the list")
    } catch let error as SoundFileError {
      try Finding.unless(
        [.unsupported, .broken].contains(error.kind), "an error of another kind: \(error)")
    }
  }
}
