// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Foundation

/// Long lists on a disk.
struct ListQuestion: Question {
  let name = "list"
  let asks = "what reading a list of 1,000,000 entries takes, and what memory it has at most"

  private static let formats: [PlaylistFile.Format] = [.m3u, .pls, .xspf]

  func answer(_ effort: Effort) throws -> [Answer] {
    let count = effort.isQuick ? 10_000 : 1_000_000
    let folder = FileManager.default.temporaryDirectory.path + "/attacca-lists-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try Self.formats.flatMap { format in
      let path = folder + "/list.\(format.rawValue)"
      try Self.list(of: count, in: format).write(to: BytePath(path))
      let (memory, begin) = (Resident.proportional, Effort.now())
      let list = try PlaylistFile(path: path)
      let seconds = Double(Effort.now() - begin) / 1e9
      let megabytes = Double(Resident.proportional - memory) / 1_024
      try BenchFailure.unless(
        list.entries.count == count && list.entries[count - 1].title == "Artist - Title \(count)",
        "\(list.entries.count) entries of \(count) were read")
      return [
        Answer(name: "\(format.rawValue), \(count)", value: seconds, unit: "s"),
        Answer(
          name: "\(format.rawValue), memory", value: megabytes, unit: "MB more", isJudged: true),
      ]
    }
  }

  private static func list(of count: Int, in format: PlaylistFile.Format) -> PlaylistFile {
    let entries = (1...count).map { number in
      var entry = PlaylistFile.Entry(
        path: BytePath("/music/Artist/Album \(number / 12)/\(number) - Title \(number).flac"),
        title: "Artist - Title \(number)")
      entry.duration = MediaTime(value: Int64(60 + number % 400), timescale: 1)
      return entry
    }
    return PlaylistFile(entries, title: "All", format: format)
  }
}
