// SPDX-License-Identifier: Apache-2.0

/// A picture block (RFC 9639 §8.8): what it shows, its type and a description, in front of its bytes.
struct FLACPicture {
  let kind: UInt8
  let mediaType: String
  let description: String
  /// Bytes of the block in front of the picture, and of the picture.
  let headSize: Int
  let byteCount: Int

  /// Bytes of the longest head that is read.
  static let longestHead = 1 << 13

  /// nil where `head`, the first bytes of a block of `size` bytes, is none of a picture.
  init?(_ head: [UInt8], of size: Int64) {
    func field(_ offset: Int) -> Int { Int(head.big(at: offset, 4)) }
    let typeSize = field(4)
    guard head.count >= 32, typeSize <= 256, 8 + typeSize + 4 <= head.count else { return nil }
    let textSize = field(8 + typeSize)
    headSize = 8 + typeSize + 4 + textSize + 20
    guard headSize <= head.count else { return nil }
    byteCount = field(headSize - 4)
    guard byteCount > 0, Int64(headSize) + Int64(byteCount) <= size else { return nil }
    kind = UInt8(clamping: field(0))
    mediaType = String(tagBytes: head[8..<8 + typeSize])
    let text = 8 + typeSize + 4
    description = String(tagBytes: head[text..<text + textSize])
  }

  /// The picture of a block in a file, or of its base64 among comments; nil for an address of one.
  func picture(_ source: PictureSource) -> Picture? {
    guard mediaType != "-->" else { return nil }
    return Picture(
      kind, mediaType: mediaType, description: description, byteCount: byteCount, source: source)
  }
}
