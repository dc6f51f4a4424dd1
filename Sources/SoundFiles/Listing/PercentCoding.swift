// SPDX-License-Identifier: Apache-2.0

/// The %XX of RFC 3986 §2.1.
package enum PercentCoding {
  private static let percent = UInt8(ascii: "%")

  /// `bytes` decoded once; what is no pair of hexadecimal digits stays.
  package static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    guard bytes.contains(percent) else { return bytes }
    return [UInt8](unsafeUninitializedCapacity: bytes.count) { result, count in
      count = decode(bytes[...], into: result)
    }
  }

  /// Decodes `bytes` once into memory of as many.
  ///
  /// - Returns: the number of bytes that they are.
  package static func decode(
    _ bytes: ArraySlice<UInt8>, into result: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var (i, count) = (0, 0)
      while i < bytes.count {
        if bytes[i] == percent, i + 2 < bytes.count, let high = digit(bytes[i + 1]),
          let low = digit(bytes[i + 2])
        {
          result[count] = high << 4 | low
          i += 3
        } else {
          result[count] = bytes[i]
          i += 1
        }
        count += 1
      }
      return count
    }
  }

  /// `bytes` with all but letters, digits and "-._~/" coded.
  package static func coded(_ bytes: [UInt8]) -> String {
    bytes.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
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
