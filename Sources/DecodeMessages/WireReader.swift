// SPDX-License-Identifier: Apache-2.0

/// Bytes of a message, taken apart: what is not there is nil.
struct WireReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = Number.bitWidth / 8
    guard rest.count >= size else { return nil }
    var number: Number = 0
    withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: rest.prefix(size)) }
    rest = rest.dropFirst(size)
    return Number(littleEndian: number)
  }

  /// A number of frames, nil for what no file has; less than 0 stands for none.
  mutating func frames() -> Int64? {
    integer(Int64.self).flatMap { $0 <= 1 << 48 ? $0 : nil }
  }

  mutating func text() -> String? { bytes().map { String(decoding: $0, as: UTF8.self) } }

  mutating func bytes() -> [UInt8]? {
    guard let length = integer(UInt32.self), Int(length) <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(length)) }
    return Array(rest.prefix(Int(length)))
  }
}
