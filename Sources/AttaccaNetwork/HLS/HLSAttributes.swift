// SPDX-License-Identifier: Apache-2.0

/// The names and values behind a tag of HLS (RFC 8216 §4.2): `NAME=value,OTHER="quoted, with commas"`.
struct HLSAttributes {
  private var values: [String: String] = [:]

  init(_ text: Substring) {
    var rest = text
    for _ in 0..<100 {
      guard let equals = rest.firstIndex(of: "=") else { return }
      let name = rest[..<equals].filter { !$0.isWhitespace }
      rest = rest[rest.index(after: equals)...]
      if rest.first == "\"" {
        rest = rest.dropFirst()
        let end = rest.firstIndex(of: "\"") ?? rest.endIndex
        values[String(name)] = String(rest[..<end])
        rest = rest[end...].drop { $0 != "," }.dropFirst()
      } else {
        let end = rest.firstIndex(of: ",") ?? rest.endIndex
        values[String(name)] = String(rest[..<end])
        rest = rest[end...].dropFirst()
      }
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// Up to 16 bytes behind "0x", filled up in front; nil for what is none.
  func hexadecimal(_ name: String) -> [UInt8]? {
    guard let text = values[name], text.lowercased().hasPrefix("0x"),
      let number = UInt128(text.dropFirst(2), radix: 16)
    else { return nil }
    return (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) }
  }
}
