// SPDX-License-Identifier: Apache-2.0

import CExpat
import SoundFiles

/// Reads XSPF, by libexpat, piece by piece.
final class XSPFReader {
  private let name: String
  private var list: XSPFList
  private let parser: XML_Parser

  /// - Throws: `unsupported` where libexpat is not installed.
  private init(_ name: String, _ place: ListPlace) throws(SoundFileError) {
    guard attacca_expat_load() else {
      throw SoundFileError(
        .unsupported, path: name, call: "libexpat",
        cause: "libexpat, which reads XSPF, is not installed; its package is libexpat1")
    }
    guard let parser = attacca_XML_ParserCreateNS(nil, 0x20) else {
      throw SoundFileError(
        .broken, path: name, call: "XML_ParserCreateNS", cause: "no memory for a parser")
    }
    (self.name, list, self.parser) = (name, XSPFList(place), parser)
    attacca_XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    attacca_XML_SetElementHandler(
      parser, { XSPFReader.from($0).list.open($1!, $2) },
      { user, _ in XSPFReader.from(user).list.close() })
    attacca_XML_SetCharacterDataHandler(parser) { user, characters, count in
      XSPFReader.from(user).list.add(UnsafeRawBufferPointer(start: characters, count: Int(count)))
    }
  }

  deinit { attacca_XML_ParserFree(parser) }

  private static func from(_ user: UnsafeMutableRawPointer?) -> XSPFReader {
    Unmanaged<XSPFReader>.fromOpaque(user!).takeUnretainedValue()
  }

  /// - Throws: `broken` for what is no XML; `unsupported` where libexpat is not installed.
  static func read(
    _ text: ListText, _ name: String, _ place: ListPlace
  ) throws(SoundFileError) -> (String?, [PlaylistFile.Entry]) {
    let reader = try XSPFReader(name, place)
    var rest = text.bytes
    // Its lengths are of 32 bits.
    repeat {
      let piece = rest.prefix(1 << 24)
      rest = rest.dropFirst(piece.count)
      try reader.read(piece, isLast: rest.isEmpty)
    } while !rest.isEmpty
    return (reader.list.title, reader.list.entries)
  }

  /// The list at `path`, of which a megabyte is in memory at a time; nil where it is none of XML in bytes.
  ///
  /// - Throws: As `read`, and what reading the file does.
  static func list(
    at path: BytePath, atMost limit: Int64
  ) throws(SoundFileError) -> PlaylistFile? {
    var reader: XSPFReader?
    try WholeFile.read(path, atMost: limit) { piece, isLast throws(SoundFileError) in
      var text = piece[...]
      if reader == nil {
        text = piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece[3...] : text
        // What begins with a mark of UTF-16 is read as a whole.
        guard PlaylistFile.Format(path) != .cue, text.first.map({ $0 < 0x80 }) == true,
          PlaylistFile.Format(beginning: text) == .xspf
        else { return false }
        reader = try XSPFReader(path.text, ListPlace(of: path))
      }
      try reader?.read(text, isLast: isLast)
      return true
    }
    return reader.map {
      PlaylistFile($0.list.entries, title: $0.list.title, format: .xspf)
    }
  }

  private func read(_ piece: ArraySlice<UInt8>, isLast: Bool) throws(SoundFileError) {
    let status = piece.withUnsafeBytes {
      attacca_XML_Parse(
        parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count),
        isLast ? 1 : 0)
    }
    guard status == XML_STATUS_OK else {
      let code = attacca_XML_GetErrorCode(parser)
      throw SoundFileError(
        .broken, path: name, call: "XML_Parse", code: Int32(bitPattern: code.rawValue),
        cause: "line \(attacca_XML_GetCurrentLineNumber(parser)): "
          + String(cString: attacca_XML_ErrorString(code)))
    }
  }
}
