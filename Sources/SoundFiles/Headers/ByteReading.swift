// SPDX-License-Identifier: Apache-2.0

/// Fields of binary headers. Bytes past the end read as 0, which no header takes for valid.
extension [UInt8] {
  /// An unsigned integer of `size` bytes, lowest first.
  func little(at offset: Int, _ size: Int) -> UInt64 {
    (0..<size).reversed().reduce(0) { $0 << 8 | UInt64(byte(at: offset + $1)) }
  }

  /// An unsigned integer of `size` bytes, highest first.
  func big(at offset: Int, _ size: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 << 8 | UInt64(byte(at: offset + $1)) }
  }

  /// `count` bytes as characters of Latin-1; shorter at the end.
  func text(at offset: Int, _ count: Int) -> String {
    guard offset >= 0, offset < self.count else { return "" }
    var text = String.UnicodeScalarView()
    for byte in self[offset..<Swift.min(offset + count, self.count)] {
      text.append(Unicode.Scalar(byte))
    }
    return String(text)
  }

  private func byte(at offset: Int) -> UInt8 { indices.contains(offset) ? self[offset] : 0 }
}

extension String {
  /// UTF-8, or Latin-1 where the bytes are not valid UTF-8: old files carry either, unmarked.
  init(tagBytes bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
    } else {
      self = Array(bytes).text(at: 0, bytes.count)
    }
  }
}
