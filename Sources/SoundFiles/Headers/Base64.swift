// SPDX-License-Identifier: Apache-2.0

/// Base64 (RFC 4648 §4), decoded piece by piece; what is none of its signs is passed by.
struct Base64 {
  private var bits: UInt32 = 0
  private var count = 0

  mutating func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    for sign in text {
      let value: UInt8
      switch sign {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = sign - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = sign - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = sign - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      default: continue
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }
}
