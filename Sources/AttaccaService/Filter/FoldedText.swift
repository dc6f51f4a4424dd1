// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Texts compared byte by byte, after both are in small letters where case does not count.
enum FoldedText {
  static func folded(_ text: String) -> String {
    // Most are ASCII already in small letters.
    text.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) } ? text : text.lowercased()
  }

  static func contains(_ text: String, _ part: String) -> Bool {
    var (text, part) = (text, part)
    return text.withUTF8 { text in part.withUTF8 { contains(text, $0) } }
  }

  private static func contains(
    _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let first = part.first else { return true }
    guard let start = text.baseAddress else { return false }
    var place = 0
    while text.count - place >= part.count {
      let left = text.count - place - part.count + 1
      guard let found = memchr(start + place, Int32(first), left) else { return false }
      place = found - UnsafeMutableRawPointer(mutating: start)
      if memcmp(start + place, part.baseAddress!, part.count) == 0 { return true }
      place += 1
    }
    return false
  }

  static func startsWith(_ text: String, _ part: String) -> Bool {
    text.utf8.starts(with: part.utf8)
  }

  static func areEqual(_ text: String, _ other: String) -> Bool {
    text.utf8.elementsEqual(other.utf8)
  }
}
