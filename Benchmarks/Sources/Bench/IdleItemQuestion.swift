// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// Memory of items that just stand in a list.
struct IdleItemQuestion: Question {
  let name = "idle-item"
  let asks = "how much memory an item of a long list takes, beyond its path"

  func answer(_ effort: Effort) throws -> [Answer] {
    let count = effort.isQuick ? 10_000 : 1_000_000
    let playlist = Playlist()
    let before = try Self.resident()
    // 40 bytes each: too long to stand in the string itself.
    playlist.append(
      contentsOf: (0..<count).map { i in
        PlaylistItem(path: "/music/artist/album/" + Self.eight(i) + ".title.flac")
      })
    let bytes = Double(try Self.resident() - before) / Double(count)
    try BenchFailure.unless(playlist.count == count, "\(playlist.count) items")
    // What the heap adds to each path counts as the item's.
    let path = 39.0
    return [
      Answer(name: "with a path of 39 bytes", value: bytes, unit: "bytes"),
      Answer(name: "beyond its path", value: bytes - path, unit: "bytes", isJudged: true),
    ]
  }

  /// Bytes of this process that are in memory.
  private static func resident() throws -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { throw BenchFailure("no /proc") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { throw BenchFailure("an empty statm") }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { throw BenchFailure("statm: \(text)") }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  private static func eight(_ i: Int) -> String {
    let digits = String(i)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
