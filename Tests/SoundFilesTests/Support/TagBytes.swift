// SPDX-License-Identifier: Apache-2.0

/// Tags of the kinds that stand before and behind the audio of a file.
enum TagBytes {
  /// A tag of ID3v2.3 with a title.
  static func id3v2(title: String = "Two") -> [UInt8] {
    let text = [0] + Array(title.utf8)
    let frame = Array("TIT2".utf8) + big(text.count, 4) + [0, 0] + text
    let size = (0..<4).map { UInt8(frame.count >> (7 * (3 - $0)) & 0x7F) }
    return Array("ID3".utf8) + [3, 0, 0] + size + frame
  }

  /// The 128 bytes of ID3v1, with a title.
  static func id3v1(title: String = "One") -> [UInt8] {
    let fields = Array(title.utf8) + [UInt8](repeating: 0, count: 30 - title.utf8.count)
    return Array("TAG".utf8) + fields + [UInt8](repeating: 0, count: 94) + [12]
  }

  /// A tag of APEv2 with one item, a header before it and a footer behind.
  static func ape() -> [UInt8] {
    let item = little(3, 4) + [0, 0, 0, 0] + Array("Title".utf8) + [0] + Array("Ape".utf8)
    func edge(isHeader: Bool) -> [UInt8] {
      Array("APETAGEX".utf8) + little(2_000, 4) + little(item.count + 32, 4) + little(1, 4)
        + [0, 0, 0, isHeader ? 0xA0 : 0x80] + [UInt8](repeating: 0, count: 8)
    }
    return edge(isHeader: true) + item + edge(isHeader: false)
  }

  /// A tag of Lyrics3v2, which stands before an ID3v1 tag only.
  static func lyrics3() -> [UInt8] {
    let body = Array("LYRICSBEGININD0000200INF00004abcd".utf8)
    let size = String(body.count)
    return body + Array((String(repeating: "0", count: 6 - size.count) + size + "LYRICS200").utf8)
  }

  private static func big(_ value: Int, _ size: Int) -> [UInt8] { little(value, size).reversed() }

  private static func little(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
