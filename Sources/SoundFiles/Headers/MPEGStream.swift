// SPDX-License-Identifier: Apache-2.0

/// Where the MPEG frames of a file begin, and what its Xing or Info header promises.
struct MPEGStream {
  /// The end of the ID3v2 tags at the start.
  let tagEnd: Int64
  /// The first frame; between it and the tags may stand junk.
  let firstFrame: Int64
  let header: MPEGHeader
  /// MPEG frames by the Xing or Info header, itself not counted.
  let promisedFrames: Int64?
  /// Bytes of the stream by the same header.
  let promisedBytes: Int64?

  /// How far behind the tags a first frame is looked for.
  static let junkLimit = 1 << 16
  /// Frames in a row that make a stream: chance headers are too common in noise to trust one.
  static let framesInARow = 3

  /// `nil` where no run of frames begins within `junkLimit` bytes.
  init?(file: RegularFile, tagEnd: Int64) throws(SoundFileError) {
    guard let found = try Self.firstRun(in: file, from: tagEnd) else { return nil }
    (self.tagEnd, firstFrame, header) = (tagEnd, found.place, found.header)

    let bytes = try file.bytes(at: firstFrame, count: header.infoOffset + 16)
    let info = header.infoOffset
    var frames: Int64?
    var size: Int64?
    if header.layer == 3, ["Xing", "Info"].contains(bytes.text(at: info, 4)) {
      let flags = bytes.big(at: info + 4, 4)
      if flags & 1 != 0 { frames = Int64(bytes.big(at: info + 8, 4)) }
      if flags & 2 != 0 { size = Int64(bytes.big(at: info + 8 + (flags & 1 != 0 ? 4 : 0), 4)) }
    }
    promisedFrames = frames
    promisedBytes = size
  }

  /// The first run of frames that begins less than `junkLimit` bytes behind `start`.
  static func firstRun(
    in file: RegularFile, from start: Int64
  ) throws(SoundFileError) -> (place: Int64, header: MPEGHeader)? {
    let bytes = try file.bytes(at: start, count: junkLimit + 4 * 4096)
    let reachesEnd = start + Int64(bytes.count) == file.size
    for offset in 0..<min(junkLimit, bytes.count) where bytes[offset] == 0xFF {
      guard let header = run(in: bytes, from: offset, reachesEnd: reachesEnd) else { continue }
      return (start + Int64(offset), header)
    }
    return nil
  }

  /// The header at `offset`, if frames of one kind follow each other from there.
  private static func run(in bytes: [UInt8], from offset: Int, reachesEnd: Bool) -> MPEGHeader? {
    guard let first = MPEGHeader(UInt32(bytes.big(at: offset, 4))) else { return nil }
    var place = offset + first.length
    for _ in 1..<framesInARow {
      // A file of one or two frames, maybe with a tag behind, is as good as a longer one.
      if reachesEnd, place == bytes.count || isTag(bytes, at: place) { return first }
      guard let next = MPEGHeader(UInt32(bytes.big(at: place, 4))), next.constant == first.constant
      else { return nil }
      place += next.length
    }
    return first
  }

  /// The end of the ID3v2 tags at `start`; `start` itself where there is none.
  static func endOfTags(
    _ file: RegularFile, from start: Int64 = 0
  ) throws(SoundFileError) -> Int64 {
    var end = start
    // Some writers put a second tag behind the first.
    for _ in 0..<4 {
      let head = try file.bytes(at: end, count: 10)
      guard head.count == 10, head.text(at: 0, 3) == "ID3", head[3] < 0xFF,
        head[6...9].allSatisfy({ $0 < 0x80 })
      else { break }
      let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
      end += 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
    }
    return min(end, file.size)
  }

  /// Whether a tag of the kinds that are put behind the frames begins at `place`.
  static func isTag(at place: Int64, in file: RegularFile) throws(SoundFileError) -> Bool {
    isTag(try file.bytes(at: place, count: 8), at: 0)
  }

  private static func isTag(_ bytes: [UInt8], at place: Int) -> Bool {
    let head = bytes.text(at: place, 8)
    return ["TAG", "ID3", "APETAGEX", "LYRICSBE"].contains { head.hasPrefix($0) }
  }
}
