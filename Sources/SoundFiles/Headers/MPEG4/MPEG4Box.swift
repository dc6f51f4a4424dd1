// SPDX-License-Identifier: Apache-2.0

/// A box of an MP4 file (ISO/IEC 14496-12 §4.2): a name, and where its content is.
struct MPEG4Box {
  let name: String
  let content: Range<Int64>
  /// Place of its name.
  let namePlace: Int64

  /// Boxes that are looked at in one place: a file in fragments has two for each.
  private static let most = 20_000

  /// Shows the boxes within `range` to `body`, until that returns false.
  static func walk(
    _ range: Range<Int64>, of file: RegularFile,
    _ body: (MPEG4Box) throws(SoundFileError) -> Bool
  ) throws(SoundFileError) {
    var place = range.lowerBound
    for _ in 0..<most where place + 8 <= range.upperBound {
      let head = try file.bytes(at: place, count: 16)
      guard head.count >= 8 else { return }
      var (size, headSize) = (Int64(head.big(at: 0, 4)), Int64(8))
      switch size {
      // Up to the end.
      case 0: size = range.upperBound - place
      case 1:
        guard head.count == 16 else { return }
        (size, headSize) = (Int64(clamping: head.big(at: 8, 8)), 16)
      default: break
      }
      guard size >= headSize, size <= range.upperBound - place else { return }
      let box = MPEG4Box(
        name: head.text(at: 4, 4), content: place + headSize..<place + size,
        namePlace: place + 4)
      guard try body(box) else { return }
      place += size
    }
  }

  /// The first box of a name within `range`; nil where there is none.
  static func first(
    _ name: String, in range: Range<Int64>, of file: RegularFile
  ) throws(SoundFileError) -> Range<Int64>? {
    var found: Range<Int64>?
    try walk(range, of: file) { box throws(SoundFileError) in
      if box.name == name { found = box.content }
      return found == nil
    }
    return found
  }
}
