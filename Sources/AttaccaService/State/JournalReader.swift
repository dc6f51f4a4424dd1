// SPDX-License-Identifier: Apache-2.0

/// Reader of what `JournalBytes` has written; nil is told of what is not there.
struct JournalReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { return nil }
    defer { rest = rest.dropFirst(size) }
    return rest.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }

  mutating func count() -> Int? { number(UInt32.self).map { Int($0) } }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func text() -> String? {
    count().flatMap { bytes($0) }.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// A number that may be none; nil where there is not even that.
  mutating func optional() -> Int64?? {
    switch number(UInt8.self) {
    case 0: .some(nil)
    case 1: number(Int64.self).map { .some($0) }
    default: nil
    }
  }

  mutating func real() -> Double? { number(UInt64.self).map { Double(bitPattern: $0) } }

  mutating func ids() -> [UInt32]? {
    guard let count = count(), count * 4 <= rest.count else { return nil }
    return (0..<count).compactMap { _ in number(UInt32.self) }
  }

  mutating func range() -> Range<Int>? {
    guard let start = count(), let end = count(), start <= end else { return nil }
    return start..<end
  }
}
