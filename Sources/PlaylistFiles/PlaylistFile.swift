// SPDX-License-Identifier: Apache-2.0

public import SoundFiles

/// A list of files and addresses on a disk: M3U, PLS, XSPF, a cue sheet or ASX.
///
/// Relative paths start at the list's folder. `file:` addresses are decoded once. Bare paths, for which there is no
/// standard, are taken as they stand, byte by byte, and decoded only where nothing has that name; backslashes are
/// tried as slashes last. Other addresses stay as they are. A text that has no mark and is no UTF-8 is Shift-JIS where
/// that makes Japanese of it, else Windows-1252. A value without state: any thread.
public struct PlaylistFile: Hashable, Sendable {
  /// Format of the text.
  public var format: Format
  /// Name of the whole list; nil for none.
  public var title: String?
  /// Items, in order.
  public var entries: [Entry]

  /// Bytes of the longest list that is read, a million entries of 256.
  public static let sizeLimit: Int64 = 256_000_000

  /// A list of `entries`, to be written.
  public init(_ entries: [Entry], title: String? = nil, format: Format = .m3u) {
    (self.entries, self.title, self.format) = (entries, title, format)
  }

  /// Reads the list at `path`, whose extension and beginning say which format it has; blocks as long as the disk does.
  ///
  /// - Parameters:
  ///   - path: The list.
  ///   - pregaps: What becomes of the pregaps that a cue sheet names.
  /// - Throws: `missing`, `unreadable`, `empty`, `broken` for a cue sheet or an XSPF list that is none, or
  ///   `unsupported` for HLS, which only looks like a list, and for more than `sizeLimit` bytes.
  public init(path: BytePath, pregaps: CueSheet.Pregaps = .kept) throws(SoundFileError) {
    if let list = try XSPFReader.list(at: path, atMost: Self.sizeLimit) {
      self = list
      return
    }
    if let list = try ASXReader.list(at: path, atMost: Self.sizeLimit) {
      self = list
      return
    }
    let bytes = try WholeFile.bytes(of: path, atMost: Self.sizeLimit)
    try self.init(
      bytes, name: path, format: Format(path), pregaps: pregaps, place: ListPlace(of: path))
  }

  /// The same of a path in UTF-8.
  public init(path: String) throws(SoundFileError) { try self.init(path: BytePath(path)) }

  /// Reads the text of a list whose entries stay as they stand in it, for who resolves them; `name` is for errors.
  ///
  /// - Throws: As of a list on a disk.
  public init(text bytes: [UInt8], name: String) throws(SoundFileError) {
    try self.init(
      bytes, name: BytePath(name), format: Format(BytePath(name)), pregaps: .kept, place: .nowhere)
  }

  init(
    _ bytes: [UInt8], name: BytePath, format: Format?, pregaps: CueSheet.Pregaps, place: ListPlace
  ) throws(SoundFileError) {
    let text = ListText(bytes)
    let known = format == .cue ? .cue : Format(beginning: text.bytes) ?? format ?? .m3u
    self.init([], format: known)
    switch known {
    case .m3u: (title, entries) = try M3UReader.read(text, name.text, place)
    case .pls: (title, entries) = PLSReader.read(text, place)
    case .xspf: (title, entries) = try XSPFReader.read(text, name.text, place)
    case .asx: (title, entries) = ASXReader.read(text, place)
    case .cue:
      let sheet = try CueSheet(text, name.text)
      (title, entries) = (sheet.title, try sheet.entries(name, place, pregaps))
    }
  }

  /// Tells whether a name is that of a list.
  public static func isPlaylist(_ path: BytePath) -> Bool { Format(path) != nil }
}
