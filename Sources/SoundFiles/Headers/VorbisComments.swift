// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// A Vorbis comment block, as Vorbis, FLAC and Opus have it (Vorbis I §5.2.1): names with values, each read by
/// itself, so that a picture among them is passed by.
struct VorbisComments {
  private(set) var tags = Tags()
  /// Those of the comments CHAPTER001 and CHAPTER001NAME.
  var chapters: [Chapter] { chapterComments.chapters }
  /// The values of METADATA_BLOCK_PICTURE: base64 of a picture block of FLAC.
  private(set) var pictures: [Range<Int64>] = []
  private var chapterComments = ChapterComments()

  /// Bytes of the longest comment that is read, and of all of them: a whole book's words are 1 MB.
  private static let longest = 1 << 18
  private static let most = 1 << 22
  /// Comments that are looked at.
  private static let mostComments = 20_000

  /// Nothing.
  init() {}

  /// The block that begins at `start` of `bytes`; what is cut off at the end is left out.
  init(_ bytes: FilePieces, from start: Int64) throws(SoundFileError) {
    let vendor = try bytes.bytes(at: start, count: 4)
    guard vendor.count == 4 else { return }
    var offset = start + 4 + Int64(vendor.little(at: 0, 4))
    let count = Int64(try bytes.bytes(at: offset, count: 4).little(at: 0, 4))
    offset += 4
    var sum = 0
    for _ in 0..<min(count, Int64(Self.mostComments)) {
      let head = try bytes.bytes(at: offset, count: 4)
      guard head.count == 4 else { return }
      let length = Int64(head.little(at: 0, 4))
      offset += 4
      guard length <= bytes.count - offset else { return }
      try add(bytes, offset..<offset + length, &sum)
      offset += length
    }
  }

  /// "NAME=value"; a name may come again with another value.
  private mutating func add(
    _ bytes: FilePieces, _ range: Range<Int64>, _ sum: inout Int
  ) throws(SoundFileError) {
    let head = try bytes.bytes(at: range.lowerBound, count: min(range.count, 64))
    guard let equals = head.firstIndex(of: UInt8(ascii: "=")), equals > 0 else { return }
    let name = String(tagBytes: head[..<equals]).uppercased()
    let value = range.lowerBound + Int64(equals + 1)..<range.upperBound
    switch name {
    case "METADATA_BLOCK_PICTURE":
      if pictures.count < Picture.most { pictures.append(value) }
      return
    // A cover of before 2009: base64 with no word about what it is.
    case "COVERART", "COVERARTMIME": return
    default: break
    }
    guard value.count <= Self.longest, sum + value.count <= Self.most else { return }
    sum += value.count
    let text = String(tagBytes: try bytes.bytes(at: value.lowerBound, count: value.count))
    if !chapterComments.take(name, text) { tags.add(text, to: Tags.Name(name)) }
  }
}
