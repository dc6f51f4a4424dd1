// SPDX-License-Identifier: Apache-2.0

import PlaylistFiles
import SoundFiles

/// Reads bytes as a playlist.
enum PlaylistCheck {
  static func run(_ bytes: [UInt8]) throws {
    let scratch = ScratchFile(bytes)
    let playlist: PlaylistFile
    do {
      playlist = try StepTime.bounded("a playlist") { try PlaylistFile(path: scratch.path) }
    } catch let error as SoundFileError {
      try Finding.unless(
        [.empty, .unsupported, .broken].contains(error.kind) && error.path == scratch.path,
        "an error of another kind: \(error)")
      return
    }
    let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
    let isText = [.m3u, .pls].contains(playlist.format)
    try Finding.unless(
      !isText || playlist.entries.count <= lines, "\(playlist.entries.count) entries")
    let folder = "/proc/self/fd/"
    for entry in playlist.entries {
      let path = entry.path
      try Finding.unless(!path.bytes.isEmpty, "an entry without a name")
      try Finding.unless(
        path.isAbsolute || path.isAddress, "'\(path)' does not start at \(folder)")
      try Finding.unless(
        !isText || path.bytes.count <= folder.utf8.count + 3 * bytes.count,
        "a name longer than the list")
      try Finding.unless(entry.title != "", "a title of nothing")
    }
  }
}
