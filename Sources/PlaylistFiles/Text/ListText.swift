// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A list's bytes, and the code that its text is in.
struct ListText {
  /// Codes of texts, guessed where no mark says them.
  enum Code { case utf8, shiftJIS, windows1252 }

  /// The text without its mark; UTF-16 as UTF-8.
  let bytes: ArraySlice<UInt8>
  let code: Code

  init(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isBig = bytes[0] == 0xFE
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[isBig ? $0 + 1 : $0]) | UInt16(bytes[isBig ? $0 : $0 + 1]) << 8
      }
      (self.bytes, code) = (Array(String(decoding: units, as: UTF16.self).utf8)[...], .utf8)
      return
    }
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    if Self.isUTF8(self.bytes) {
      code = .utf8
    } else {
      code = Self.isShiftJIS(self.bytes) ? .shiftJIS : .windows1252
    }
  }

  /// Tells whether a text is UTF-8, in pieces of whole lines: a list of 100 MB is not copied for that.
  static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let rest = bytes[min(start + 65_536, bytes.endIndex)...]
      let end = rest.firstIndex(of: 0x0A) ?? bytes.endIndex
      guard String(validating: bytes[start..<end], as: UTF8.self) != nil else { return false }
      start = end
    }
    return true
  }

  /// The text of some of the bytes.
  func text(_ bytes: some Collection<UInt8>) -> String {
    switch code {
    case .utf8: String(decoding: bytes, as: UTF8.self)
    case .shiftJIS: Self.shiftJIS(Array(bytes)) ?? Windows1252.text(bytes)
    case .windows1252: Windows1252.text(bytes)
    }
  }

  /// Tells whether a text that is no UTF-8 is Japanese: it has kana, or two characters of Chinese in a row.
  ///
  /// One alone is "é" with the letter behind it as often as not.
  private static func isShiftJIS(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let text = shiftJIS(Array(bytes.prefix(1 << 16))) ?? shiftJIS(Array(bytes)) else {
      return false
    }
    var row = 0
    for scalar in text.unicodeScalars {
      if (0x3041...0x30FE).contains(scalar.value) { return true }
      row = (0x4E00...0x9FFF).contains(scalar.value) ? row + 1 : 0
      if row == 2 { return true }
    }
    return false
  }

  /// The text of Shift-JIS with Windows' characters; nil for what is none.
  private static func shiftJIS(_ bytes: [UInt8]) -> String? {
    guard let converter = iconv_open("UTF-8", "CP932"), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    var result = [UInt8](repeating: 0, count: 3 * bytes.count + 4)
    let count = bytes.withUnsafeBytes { source in
      result.withUnsafeMutableBytes { target -> Int? in
        var from = UnsafeMutablePointer(
          mutating: source.baseAddress?.assumingMemoryBound(to: CChar.self))
        var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
        var (left, room) = (source.count, target.count)
        let failed = iconv(converter, &from, &left, &to, &room) == -1
        return failed ? nil : target.count - room
      }
    }
    return count.map { String(decoding: result[..<$0], as: UTF8.self) }
  }
}

extension ListText {
  /// Calls `body` with each line that is not blank, without the blanks behind it.
  func forEachLine<E: Error>(_ body: (Slice<UnsafeBufferPointer<UInt8>>) throws(E) -> Void)
    throws(E)
  {
    var failure: E?
    bytes.withUnsafeBufferPointer { all in
      var start = 0
      while start < all.count, failure == nil {
        var end = start
        while end < all.count, all[end] != 0x0A, all[end] != 0x0D { end += 1 }
        var last = end
        while last > start, all[last - 1] == 0x20 || all[last - 1] == 0x09 { last -= 1 }
        if last > start {
          do throws(E) { try body(all[start..<last]) } catch { failure = error }
        }
        start = end + 1
      }
    }
    if let failure { throw failure }
  }
}
