// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// Long lists on a disk, each read by a process of its own.
struct ListQuestion: Question {
  let name = "list"
  let asks = "what reading a list of 1,000,000 entries takes, and the memory of the process at most"

  private static let formats: [PlaylistFile.Format] = [.m3u, .pls, .xspf, .asx]

  func answer(_ effort: Effort) throws -> [Answer] {
    let count = effort.isQuick ? 10_000 : 1_000_000
    var folder = Array("/tmp/attacca-list-XXXXXX".utf8CString)
    guard mkdtemp(&folder) != nil else {
      throw BenchFailure("mkdtemp: \(String(cString: strerror(errno)))")
    }
    let place = folder.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer { rmdir(place) }
    return try Self.formats.flatMap { format in
      let path = "\(place)/list.\(format.rawValue)"
      defer { unlink(path) }
      try Self.list(of: count, in: format).write(to: BytePath(path))
      let words = try Self.words(of: "'\(CommandLine.arguments[0])' --list \(path)")
      guard words.count == 3, let seconds = Double(words[1]), let peak = Double(words[2]) else {
        throw BenchFailure("--list says \(words)")
      }
      try BenchFailure.unless(
        words[0] == "\(count)", "\(words[0]) entries of \(count) were read of \(format.rawValue)")
      return [
        Answer(name: "\(format.rawValue), \(count)", value: seconds, unit: "s"),
        Answer(
          name: "\(format.rawValue), memory", value: peak / 1_024, unit: "MB", isJudged: true),
      ]
    }
  }

  /// Reads the list at `path`, and prints its number of entries, the seconds and the kilobytes at most.
  static func read(_ path: String) throws {
    let begin = Effort.now()
    let list = try PlaylistFile(path: path)
    let seconds = Double(Effort.now() - begin) / 1e9
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let whole = list.entries.count { $0.duration != nil && $0.title != nil }
    print(whole, seconds, usage.ru_maxrss)
  }

  private static func words(of command: String) throws -> [Substring] {
    guard let output = popen(command, "r") else {
      throw BenchFailure("popen: \(String(cString: strerror(errno)))")
    }
    var line = [CChar](repeating: 0, count: 1_024)
    fgets(&line, Int32(line.count), output)
    let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    try BenchFailure.unless(pclose(output) == 0, "\(command) failed")
    return text.split(whereSeparator: \.isWhitespace)
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
