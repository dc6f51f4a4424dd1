// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An M3U playlist: the paths it names, in order.
///
/// There is no standard. Relative paths start at the playlist's folder. `file:` addresses are
/// decoded once; bare paths are taken as they stand, byte by byte, and decoded only where nothing has
/// that name, and backslashes are tried as slashes last. Other addresses stay as they are, for the
/// opening to refuse. In a list that is not UTF-8 a path that names nothing is read as Windows-1252.
public struct PlaylistFile: Hashable, Sendable {
  /// One line of a playlist.
  public struct Entry: Hashable, Sendable {
    /// A path, or an address that is none of a file.
    public let path: BytePath
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
  public init(path: BytePath) throws(SoundFileError) {
    let file = try RegularFile(path: path)
    guard file.size <= Self.sizeLimit else {
      throw SoundFileError(
        .unsupported, path: path.text, call: "PlaylistFile", cause: "\(file.size) bytes of playlist"
      )
    }
    let bytes = try file.bytes(at: 0, count: Self.sizeLimit)
    let folder = path.folder
    let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
    var entries: [Entry] = []
    var title: String?
    for line in Self.lines(of: bytes) {
      guard line.first == UInt8(ascii: "#") else {
        entries.append(Entry(path: Self.resolve(line, isUTF8: isUTF8, in: folder), title: title))
        title = nil
        continue
      }
      let text = isUTF8 ? String(decoding: line, as: UTF8.self) : Windows1252.text(line)
      if text.hasPrefix("#EXT-X-TARGETDURATION") || text.hasPrefix("#EXT-X-MEDIA-SEQUENCE")
        || text.hasPrefix("#EXT-X-STREAM-INF")
      {
        throw SoundFileError(
          .unsupported, path: path.text, call: "PlaylistFile",
          cause: "an HLS stream, not a playlist")
      }
      if text.hasPrefix("#EXTINF:") { title = Self.title(text) }
    }
    self.entries = entries
  }

  /// The same of a path in UTF-8.
  public init(path: String) throws(SoundFileError) { try self.init(path: BytePath(path)) }

  /// Whether a name is that of a playlist.
  public static func isPlaylist(_ path: BytePath) -> Bool {
    ["m3u", "m3u8"].contains(path.fileExtension)
  }

  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    return body.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { line in
      // Blanks in front may belong to a name; behind it they are an editor's.
      line.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }.map { line[...$0] }
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

  private static func resolve(
    _ line: ArraySlice<UInt8>, isUTF8: Bool, in folder: BytePath
  ) -> BytePath {
    func place(_ path: BytePath) -> BytePath {
      path.isAbsolute || folder.bytes.isEmpty ? path : folder.appending(path)
    }
    let path = BytePath(bytes: line)
    if let named = BytePath(address: path) { return place(named) }
    if path.isAddress { return path }
    var candidates = spellings(of: path.bytes)
    if !isUTF8 { candidates += spellings(of: Array(Windows1252.text(line).utf8)) }
    // Of a list that is not UTF-8 the text is the likelier name of what is not there.
    let usual = isUTF8 ? 0 : candidates.count / 2
    return place(candidates.first { place($0).exists } ?? candidates[usual])
  }

  /// A path as it stands, decoded, and both with slashes for backslashes.
  private static func spellings(of bytes: [UInt8]) -> [BytePath] {
    let decoded = PercentCoding.decoded(bytes)
    return [bytes, decoded, slashed(bytes), slashed(decoded)].map { BytePath(bytes: $0) }
  }

  /// Windows paths: slashes for backslashes, and no drive.
  private static func slashed(_ bytes: [UInt8]) -> [UInt8] {
    let path = bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    guard path.count > 1, path[1] == UInt8(ascii: ":"),
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(path[0] | 0x20)
    else { return path }
    return Array(path.dropFirst(2))
  }
}
