// SPDX-License-Identifier: Apache-2.0

import CExpat
import Glibc
import MediaTime
import SoundFiles

/// Reads XSPF, by libexpat.
final class XSPFReader {
  private static let namespaces: Set<String> = [
    "http://xspf.org/ns/0/", "http://xspf.org/ns/0", "",
  ]
  private static let usual = "http://xspf.org/ns/0/ "
  private static let base = "http://www.w3.org/XML/1998/namespace base"

  private let text: ListText
  private let place: ListPlace
  private var title: String?
  private var entries: [PlaylistFile.Entry] = []
  private var entry: PlaylistFile.Entry?
  /// Names of the elements that are open, and where their addresses start.
  private var path: [String] = []
  private var bases: [String] = [""]
  /// What stands in the element that was opened last, since then; bytes, as most of it are the blanks between
  /// elements.
  private var content: [UInt8] = []

  private init(_ text: ListText, _ place: ListPlace) { (self.text, self.place) = (text, place) }

  /// - Throws: `broken` for what is no XML.
  static func read(
    _ text: ListText, _ name: String, _ place: ListPlace
  ) throws(SoundFileError) -> (String?, [PlaylistFile.Entry]) {
    let reader = XSPFReader(text, place)
    guard let parser = XML_ParserCreateNS(nil, 0x20) else {
      throw SoundFileError(
        .broken, path: name, call: "XML_ParserCreateNS", cause: "no memory for a parser")
    }
    defer { XML_ParserFree(parser) }
    XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
    XML_SetElementHandler(
      parser, { XSPFReader.from($0).open($1!, $2) },
      { user, _ in XSPFReader.from(user).close() })
    XML_SetCharacterDataHandler(parser) { user, characters, count in
      XSPFReader.from(user).content += UnsafeRawBufferPointer(start: characters, count: Int(count))
    }
    var rest = text.bytes
    // Its lengths are of 32 bits.
    repeat {
      let piece = rest.prefix(1 << 24)
      rest = rest.dropFirst(piece.count)
      let status = piece.withUnsafeBytes {
        XML_Parse(
          parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count),
          rest.isEmpty ? 1 : 0)
      }
      guard status == XML_STATUS_OK else {
        let code = XML_GetErrorCode(parser)
        throw SoundFileError(
          .broken, path: name, call: "XML_Parse", code: Int32(bitPattern: code.rawValue),
          cause:
            "line \(XML_GetCurrentLineNumber(parser)): \(String(cString: XML_ErrorString(code)))"
        )
      }
    } while !rest.isEmpty
    return (reader.title, reader.entries)
  }

  private static func from(_ user: UnsafeMutableRawPointer?) -> XSPFReader {
    Unmanaged<XSPFReader>.fromOpaque(user!).takeUnretainedValue()
  }

  /// The name of an element of XSPF's; that of others, VLC's among them, with a sign in front.
  private static func plain(_ bytes: UnsafePointer<CChar>) -> String {
    if strncmp(bytes, usual, usual.utf8.count) == 0 {
      return String(cString: bytes + usual.utf8.count)
    }
    let name = String(cString: bytes)
    guard let blank = name.lastIndex(of: " ") else { return name }
    let local = name[name.index(after: blank)...]
    return namespaces.contains(String(name[..<blank])) ? String(local) : "+\(local)"
  }

  private func open(
    _ bytes: UnsafePointer<CChar>, _ values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    let name = Self.plain(bytes)
    path.append(name)
    content.removeAll(keepingCapacity: true)
    var base = bases[bases.count - 1]
    var i = 0
    while let values, let key = values[i], let value = values[i + 1] {
      if String(cString: key) == Self.base { base = Self.resolved(String(cString: value), base) }
      i += 2
    }
    bases.append(base)
    if name == "track", path.count == 3 { entry = PlaylistFile.Entry(path: "") }
  }

  private func close() {
    let (name, depth, base) = (path.removeLast(), path.count, bases.removeLast())
    let value = Self.line(content)
    content.removeAll(keepingCapacity: true)
    guard entry != nil else {
      if name == "title", depth == 1, !value.isEmpty { title = value }
      return
    }
    if name == "track", depth == 2 {
      if let entry, !entry.path.isEmpty { entries.append(entry) }
      entry = nil
    } else if !value.isEmpty {
      if depth == 3 { track(name, value, base) } else if name == "+option" { option(value) }
    }
  }

  /// An element right within a track.
  private func track(_ name: String, _ value: String, _ base: String) {
    switch name {
    case "location":
      // More of them are other addresses of the same.
      guard entry?.path.isEmpty == true else { return }
      entry?.path = place.resolve(.reference(Self.resolved(value, base)), in: text)
    case "title": entry?.title = value
    case "creator": entry?.tags.artist = value
    case "album": entry?.tags.album = value
    case "trackNum": entry?.tags.trackNumber = value
    case "annotation": entry?.tags[.comment] = [value]
    case "duration":
      entry?.duration = ListTime.number(value).flatMap {
        $0 < 4_000_000_000_000 ? MediaTime(value: $0, timescale: 1_000) : nil
      }
    default: break
    }
  }

  /// A text without lines and without blanks at its ends; in a long list most have none.
  private static func line(_ bytes: [UInt8]) -> String {
    if bytes.allSatisfy({ $0 <= 0x20 }) { return "" }
    var last = UInt8(ascii: " ")
    let isPlain = bytes.allSatisfy { byte in
      defer { last = byte }
      return byte > 0x20 || (byte == 0x20 && last != 0x20)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if isPlain, last != 0x20 { return text }
    return text.split { $0.isWhitespace }.joined(separator: " ")
  }

  /// "start-time=12.5", VLC's.
  private func option(_ value: String) {
    let parts = value.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let time = ListTime.seconds(parts[1]) else { return }
    if parts[0] == "start-time" { entry?.start = time }
    if parts[0] == "stop-time" { entry?.end = time }
  }

  /// An address that may start at another one, as far as files and hosts need it.
  private static func resolved(_ reference: String, _ base: String) -> String {
    if base.isEmpty || BytePath(reference).isAddress { return reference }
    let isRooted = reference.hasPrefix("/")
    guard BytePath(base).isAddress, let scheme = base.firstRange(of: "://") else {
      return isRooted ? reference : BytePath(base).folder.text + reference
    }
    let host = base[scheme.upperBound...].prefix { $0 != "/" }
    let root = base[..<host.endIndex]
    if isRooted { return root + reference }
    let folder = BytePath(String(base[host.endIndex...])).folder.text
    return root + (folder.isEmpty ? "/" : folder) + reference
  }
}
