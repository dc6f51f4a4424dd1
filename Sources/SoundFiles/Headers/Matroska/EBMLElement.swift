// SPDX-License-Identifier: Apache-2.0

/// An element of EBML (RFC 8794 §6): an identifier, and where its content is.
struct EBMLElement {
  let id: UInt32
  let content: Range<Int64>
  /// Place where it begins.
  let start: Int64

  /// Elements that are looked at in one place.
  private static let most = 20_000

  /// The element at `place`, within what ends at `end`; nil where none is.
  init?(at place: Int64, before end: Int64, in file: RegularFile) throws(SoundFileError) {
    let head = try file.bytes(at: place, count: 12)
    guard place + 2 <= end, let first = head.first, first != 0 else { return nil }
    let idSize = first.leadingZeroBitCount + 1
    guard idSize <= 4, head.count > idSize, head[idSize] != 0 else { return nil }
    let length = head[idSize].leadingZeroBitCount + 1
    guard head.count >= idSize + length else { return nil }
    start = place
    id = UInt32(head.big(at: 0, idSize))
    let ones = UInt64(1) << UInt64(7 * length) - 1
    let size = head.big(at: idSize, length) & ones
    let begin = place + Int64(idSize + length)
    guard begin <= end else { return nil }
    // All ones: up to the end of what it is in.
    let rest = UInt64(end - begin)
    content = begin..<begin + Int64(size == ones ? rest : min(size, rest))
  }

  /// The header of an element of the same size that is to be passed by, Void.
  var voidHeader: [UInt8] {
    let size = Int(content.lowerBound - start)
    // A length takes up to eight bytes: what is longer begins with another one, of no content.
    let lead = size > 9 ? max(2, size - 9) : 0
    var bytes: [UInt8] = lead == 0 ? [] : [0xEC, 0x80 | UInt8(lead - 2)]
    bytes += [UInt8](repeating: 0, count: max(0, lead - 2))
    let length = size - lead - 1
    let value = UInt64(content.count) | 1 << UInt64(7 * length)
    bytes.append(0xEC)
    bytes += (0..<length).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (length - 1 - $0))) }
    return bytes
  }

  /// Shows the elements within `range` to `body`, until that returns false.
  static func walk(
    _ range: Range<Int64>, of file: RegularFile,
    _ body: (EBMLElement) throws(SoundFileError) -> Bool
  ) throws(SoundFileError) {
    var place = range.lowerBound
    for _ in 0..<most {
      guard place < range.upperBound,
        let element = try EBMLElement(at: place, before: range.upperBound, in: file),
        try body(element)
      else { return }
      place = element.content.upperBound
    }
  }

  /// An unsigned number; nil where it is none.
  func number(in file: RegularFile) throws(SoundFileError) -> UInt64? {
    guard content.count <= 8 else { return nil }
    return try file.bytes(at: content.lowerBound, count: content.count).big(at: 0, content.count)
  }

  /// A text, up to a zero; nil where it is longer than `limit` bytes.
  func text(in file: RegularFile, atMost limit: Int) throws(SoundFileError) -> String? {
    guard content.count <= limit else { return nil }
    let bytes = try file.bytes(at: content.lowerBound, count: content.count)
    return String(tagBytes: bytes.prefix { $0 != 0 })
  }
}
