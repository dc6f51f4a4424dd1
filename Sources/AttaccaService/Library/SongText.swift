// SPDX-License-Identifier: Apache-2.0

/// Tags of a song in one text, as the index keeps them: a line for each value.
enum SongText {
  static func text(of values: [SongValue]) -> String {
    values.map { "\($0.tag.rawValue)=\($0.text)\n" }.joined()
  }

  /// The values of a text; lines that are none are left out.
  static func values(of text: String) -> [SongValue] {
    var values: [SongValue] = []
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")),
          let tag = tags[String(decoding: bytes[start..<equals], as: UTF8.self)]
        {
          let value = String(decoding: bytes[(equals + 1)..<end], as: UTF8.self)
          values.append(SongValue(tag: tag, text: value))
        }
        start = end + 1
      }
    }
    return values
  }

  private static let tags = Dictionary(
    uniqueKeysWithValues: SongTag.allCases.map { ($0.rawValue, $0) })
}
