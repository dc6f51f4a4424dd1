// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An M3U playlist: the paths it names, in order.
///
/// There is no standard. Relative paths start at the playlist's folder. `file:` addresses are
/// decoded once; bare paths are taken as they stand and decoded only where nothing has that name,
/// and backslashes are tried as slashes last. Other addresses stay as they are, for the opening to
/// refuse. Text that is not UTF-8 is read as Windows-1252.
public struct PlaylistFile: Hashable, Sendable {
  /// One line of a playlist.
  public struct Entry: Hashable, Sendable {
    /// A path, or an address that is none of a file.
    public let path: String
    /// What `#EXTINF` calls it: a hint.
    public let title: String?
  }

  /// The entries, in order.
  public let entries: [Entry]

  /// The largest playlist that is read, a million lines of 64 bytes.
  private static let sizeLimit = 64_000_000

  /// Reads a playlist.
  ///
  /// - Throws: `missing`, `unreadable`, `empty`, or `unsupported` for HLS, which only looks like a
  ///   playlist.
  public init(path: String) throws(SoundFileError) {
    let file = try RegularFile(path: path)
    guard file.size <= Self.sizeLimit else {
      throw SoundFileError(
        .unsupported, path: path, call: "PlaylistFile", cause: "\(file.size) bytes of playlist")
    }
    let bytes = try file.bytes(at: 0, count: Self.sizeLimit)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var entries: [Entry] = []
    var title: String?
    for line in Self.lines(of: bytes) {
      guard line.first == "#" else {
        entries.append(Entry(path: Self.resolve(line, in: folder), title: title))
        title = nil
        continue
      }
      if line.hasPrefix("#EXT-X-TARGETDURATION") || line.hasPrefix("#EXT-X-MEDIA-SEQUENCE")
        || line.hasPrefix("#EXT-X-STREAM-INF")
      {
        throw SoundFileError(
          .unsupported, path: path, call: "PlaylistFile", cause: "an HLS stream, not a playlist")
      }
      if line.hasPrefix("#EXTINF:") { title = Self.title(line) }
    }
    self.entries = entries
  }

  /// Whether a name is that of a playlist.
  public static func isPlaylist(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".m3u") || name.hasSuffix(".m3u8")
  }

  private static func lines(of bytes: [UInt8]) -> [String] {
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let isUTF8 = String(validating: body, as: UTF8.self) != nil
    return body.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { line in
      // Blanks in front may belong to a name; behind it they are an editor's.
      let end = line.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      guard let end else { return nil }
      let text = line[...end]
      return isUTF8 ? String(decoding: text, as: UTF8.self) : Windows1252.text(text)
    }
  }

  /// The text behind the first comma that is not inside quotes: attributes stand before it.
  private static func title(_ line: String) -> String? {
    var isQuoted = false
    for i in line.indices {
      if line[i] == "\"" { isQuoted.toggle() }
      guard line[i] == ",", !isQuoted else { continue }
      let title = line[line.index(after: i)...].drop { $0 == " " }
      return title.isEmpty ? nil : String(title)
    }
    return nil
  }

  private static func resolve(_ line: String, in folder: String) -> String {
    if line.lowercased().hasPrefix("file://") {
      let rest = line.dropFirst(7)
      // "file://host/path": the host is this one. "file://name" is a mistake with one meaning left.
      let path = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? folder + rest
      return PercentCoding.decoded(path)
    }
    if line.contains("://") { return line }
    let decoded = PercentCoding.decoded(line)
    let candidates = [line, decoded, line.slashed, decoded.slashed].map {
      $0.hasPrefix("/") ? $0 : folder + $0
    }
    return candidates.first { access($0, F_OK) == 0 } ?? candidates[0]
  }
}

extension String {
  /// Windows paths: slashes for backslashes, and no drive.
  fileprivate var slashed: String {
    let path = String(map { $0 == "\\" ? "/" : $0 })
    let start = path.prefix(2)
    guard start.count == 2, start.last == ":", start.first!.isASCII, start.first!.isLetter else {
      return path
    }
    return String(path.dropFirst(2))
  }
}
