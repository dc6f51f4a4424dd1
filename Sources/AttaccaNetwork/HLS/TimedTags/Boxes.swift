// SPDX-License-Identifier: Apache-2.0

/// The boxes of MP4 in a run of bytes, one behind the other, up to the first that is cut short.
struct Boxes: Sequence, IteratorProtocol {
  /// One of them: four letters, and what is in it.
  struct Box {
    let type: String
    let content: ArraySlice<UInt8>
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> Box? {
    guard rest.count >= 8, let size = rest.big(at: 0, 4) else { return nil }
    let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
    var (head, length) = (8, size)
    if size == 1 {
      guard let long = rest.big(at: 8, 8) else { return nil }
      (head, length) = (16, long)
    } else if size == 0 {
      length = UInt64(rest.count)
    }
    guard length >= head, length <= rest.count else { return nil }
    let end = rest.startIndex + Int(length)
    defer { rest = rest[end...] }
    return Box(type: type, content: rest[(rest.startIndex + head)..<end])
  }
}
