// SPDX-License-Identifier: Apache-2.0

import CExpat
import SoundFiles

/// Reads XSPF, by libexpat.
final class XSPFReader {
  private var list: XSPFList

  private init(_ text: ListText, _ place: ListPlace) { list = XSPFList(text, place) }

  /// - Throws: `broken` for what is no XML; `unsupported` where libexpat is not installed.
  static func read(
    _ text: ListText, _ name: String, _ place: ListPlace
  ) throws(SoundFileError) -> (String?, [PlaylistFile.Entry]) {
    guard attacca_expat_load() else {
      throw SoundFileError(
        .unsupported, path: name, call: "libexpat",
        cause: "libexpat, which reads XSPF, is not installed; its package is libexpat1")
    }
    let reader = XSPFReader(text, place)
    guard let parser = attacca_XML_ParserCreateNS(nil, 0x20) else {
      throw SoundFileError(
        .broken, path: name, call: "XML_ParserCreateNS", cause: "no memory for a parser")
    }
    defer { attacca_XML_ParserFree(parser) }
    attacca_XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
    attacca_XML_SetElementHandler(
      parser, { XSPFReader.from($0).list.open($1!, $2) },
      { user, _ in XSPFReader.from(user).list.close() })
    attacca_XML_SetCharacterDataHandler(parser) { user, characters, count in
      XSPFReader.from(user).list.add(UnsafeRawBufferPointer(start: characters, count: Int(count)))
    }
    var rest = text.bytes
    // Its lengths are of 32 bits.
    repeat {
      let piece = rest.prefix(1 << 24)
      rest = rest.dropFirst(piece.count)
      let status = piece.withUnsafeBytes {
        attacca_XML_Parse(
          parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count),
          rest.isEmpty ? 1 : 0)
      }
      guard status == XML_STATUS_OK else {
        let code = attacca_XML_GetErrorCode(parser)
        throw SoundFileError(
          .broken, path: name, call: "XML_Parse", code: Int32(bitPattern: code.rawValue),
          cause: "line \(attacca_XML_GetCurrentLineNumber(parser)): "
            + String(cString: attacca_XML_ErrorString(code)))
      }
    } while !rest.isEmpty
    return (reader.list.title, reader.list.entries)
  }

  private static func from(_ user: UnsafeMutableRawPointer?) -> XSPFReader {
    Unmanaged<XSPFReader>.fromOpaque(user!).takeUnretainedValue()
  }
}
