// SPDX-License-Identifier: Apache-2.0

/// The comments and pictures among a FLAC file's metadata blocks (RFC 9639 §8).
enum FLACComments {
  static func metadata(
    of file: RegularFile, from start: Int64
  ) throws(SoundFileError) -> FileMetadata {
    var found = FileMetadata()
    try walk(file, from: start) { type, block throws(SoundFileError) in
      guard type == 4 else { return true }
      found = FileMetadata(try VorbisComments(FilePieces([block], of: file), from: 0))
      return false
    }
    // Tags of other formats stand around it now and then.
    found.fill(from: try MPEGTags(of: file, firstFrame: start).metadata())
    return found
  }

  static func pictures(
    of file: RegularFile, from start: Int64
  ) throws(SoundFileError) -> [Picture] {
    var all: [Picture] = []
    try walk(file, from: start) { type, block throws(SoundFileError) in
      if type == 4 {
        let bytes = FilePieces([block], of: file)
        all += try VorbisComments(bytes, from: 0).pictures(in: bytes)
      } else if type == 6,
        let picture = FLACPicture(
          try file.bytes(
            at: block.lowerBound, count: min(block.count, FLACPicture.longestHead)),
          of: Int64(block.count))
      {
        let begin = block.lowerBound + Int64(picture.headSize)
        let place = begin..<begin + Int64(picture.byteCount)
        if let picture = picture.picture(.file(pieces: [place], coding: .plain)) {
          all.append(picture)
        }
      }
      return all.count < Picture.most
    }
    all += try MPEGTags(of: file, firstFrame: start).pictures()
    return Array(all.prefix(Picture.most))
  }

  /// Shows the type and the place of each block to `body`, until that returns false.
  private static func walk(
    _ file: RegularFile, from start: Int64,
    _ body: (UInt8, Range<Int64>) throws(SoundFileError) -> Bool
  ) throws(SoundFileError) {
    guard try file.bytes(at: start, count: 4).text(at: 0, 4) == "fLaC" else { return }
    var offset = start + 4
    for _ in 0..<1000 {
      let head = try file.bytes(at: offset, count: 4)
      guard head.count == 4 else { return }
      let end = offset + 4 + Int64(head.big(at: 1, 3))
      guard try body(head[0] & 0x7F, offset + 4..<min(end, file.size)) else { return }
      if head[0] & 0x80 != 0 || end >= file.size { return }
      offset = end
    }
  }
}
