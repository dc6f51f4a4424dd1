// SPDX-License-Identifier: Apache-2.0

/// Texts of ID3v2: a byte says which encoding, a zero ends one (§4).
enum ID3Text {
  /// The texts of a frame whose first byte is the encoding.
  static func all(_ bytes: [UInt8]) -> [String] {
    guard let encoding = bytes.first else { return [] }
    var (texts, rest): ([String], ArraySlice<UInt8>) = ([], bytes.dropFirst())
    while !rest.isEmpty, texts.count < 1_000 {
      let (text, behind) = first(of: rest, encoding)
      texts.append(text)
      rest = behind
    }
    return texts
  }

  /// The text up to a zero, and what follows that.
  static func first(
    of bytes: ArraySlice<UInt8>, _ encoding: UInt8
  ) -> (text: String, rest: ArraySlice<UInt8>) {
    guard encoding == 1 || encoding == 2 else {
      let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
      let text = bytes[..<end]
      // UTF-8 under the name of Latin-1 is what many programs write.
      return (String(tagBytes: text), bytes[end...].dropFirst())
    }
    var end = bytes.startIndex
    while end + 1 < bytes.endIndex, bytes[end] != 0 || bytes[end + 1] != 0 { end += 2 }
    let text = utf16(bytes[..<min(end, bytes.endIndex)], isBig: encoding == 2)
    return (text, bytes[min(end, bytes.endIndex)...].dropFirst(2))
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBig: Bool) -> String {
    var (units, isBig): ([UInt16], Bool) = ([], isBig)
    var i = bytes.startIndex
    while i + 1 < bytes.endIndex {
      let unit = UInt16(bytes[i]) | UInt16(bytes[i + 1]) << 8
      i += 2
      // A byte order mark, as at the start of each text.
      if units.isEmpty, unit == 0xFEFF || unit == 0xFFFE {
        isBig = unit == 0xFFFE
      } else {
        units.append(isBig ? unit.byteSwapped : unit)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
