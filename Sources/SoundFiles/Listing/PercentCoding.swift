// SPDX-License-Identifier: Apache-2.0

/// The %XX of RFC 3986 §2.1.
enum PercentCoding {
  /// `text` decoded once; what is no pair of hexadecimal digits stays, and so does the whole where
  /// the result is not UTF-8.
  static func decoded(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var i = 0
    while i < bytes.count {
      if bytes[i] == UInt8(ascii: "%"), i + 2 < bytes.count,
        let high = digit(bytes[i + 1]), let low = digit(bytes[i + 2])
      {
        result.append(high << 4 | low)
        i += 3
      } else {
        result.append(bytes[i])
        i += 1
      }
    }
    return String(validating: result, as: UTF8.self) ?? text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
