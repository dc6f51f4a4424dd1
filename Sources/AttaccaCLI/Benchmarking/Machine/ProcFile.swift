// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A small text file, as those in /proc.
enum ProcFile {
  /// All of it; nil where it is not there, as when a thread has ended.
  static func text(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text behind the first `key` and one of `separators`, without blanks and quotes.
  static func value(of key: String, in text: String, separator: Character = ":") -> String? {
    for line in text.split(separator: "\n") {
      guard let end = line.firstIndex(of: separator) else { continue }
      guard String(line[..<end]).trimmed == key else { continue }
      return String(line[line.index(after: end)...]).trimmed
    }
    return nil
  }
}

extension String {
  fileprivate var trimmed: String {
    let isOuter: (Character) -> Bool = { $0.isWhitespace || $0 == "\"" }
    return String(drop(while: isOuter).reversed().drop(while: isOuter).reversed())
  }
}
