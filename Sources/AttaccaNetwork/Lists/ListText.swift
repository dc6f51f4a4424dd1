// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The entries of a playlist's text, as they stand in it.
enum ListText {
  /// Entries of an M3U, a PLS or an XSPF list; the text says which.
  ///
  /// - Throws: `unsupported` for HLS, which only looks like a list.
  static func entries(of bytes: [UInt8], name: String) throws(SoundFileError) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split { $0.isNewline }.map(trimmed).filter { !$0.isEmpty }
    let first = lines.first?.lowercased() ?? ""
    if first.contains("[playlist]") { return pls(lines) }
    if first.hasPrefix("<") || first.hasPrefix("\u{FEFF}<") { return xspf(text) }
    let tags = ["#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-STREAM-INF"]
    if lines.contains(where: { line in tags.contains { line.hasPrefix($0) } }) {
      throw SoundFileError(
        .unsupported, path: name, call: "NetworkList", cause: "an HLS stream, not a playlist")
    }
    return lines.map { $0.hasPrefix("\u{FEFF}") ? String($0.dropFirst()) : $0 }
      .filter { !$0.hasPrefix("#") }
  }

  private static func trimmed(_ line: Substring) -> String {
    let start = line.drop { $0.isWhitespace }
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }

  /// "File1=…", by their numbers.
  private static func pls(_ lines: [String]) -> [String] {
    var files: [(Int, String)] = []
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased().hasPrefix("file"),
        let number = Int(trimmed(parts[0].dropFirst(4)))
      else { continue }
      files.append((number, trimmed(parts[1])))
    }
    return files.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The texts of all `<location>` within `<track>`.
  ///
  /// No more of XML than XSPF needs: elements without a prefix, and the five entities.
  private static func xspf(_ text: String) -> [String] {
    var (entries, rest) = ([String](), text[...])
    while let track = content(of: "track", in: &rest) {
      var inner = track
      guard let location = content(of: "location", in: &inner) else { continue }
      entries.append(unescaped(trimmed(location)))
    }
    return entries
  }

  /// What stands in the next element of that name; `text` begins behind it then.
  private static func content(of name: String, in text: inout Substring) -> Substring? {
    while let start = text.firstRange(of: "<\(name)") {
      let rest = text[start.upperBound...]
      guard let next = rest.first, next == ">" || next.isWhitespace,
        let open = rest.firstIndex(of: ">"), let end = rest.firstRange(of: "</\(name)>")
      else {
        text = rest
        if rest.firstRange(of: "</\(name)>") == nil { return nil }
        continue
      }
      text = rest[end.upperBound...]
      return open < end.lowerBound ? rest[rest.index(after: open)..<end.lowerBound] : nil
    }
    return nil
  }

  private static func unescaped(_ text: String) -> String {
    let entities = [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ]
    return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
