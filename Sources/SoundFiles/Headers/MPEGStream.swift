// SPDX-License-Identifier: Apache-2.0

/// The stream of MPEG frames in a file: where it begins, and what its Xing or Info header promises.
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
  /// True where the same header calls the bit rate constant.
  let promisesConstantRate: Bool

  /// Bytes behind the tags in which a first frame is looked for.
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
    promisesConstantRate = frames != nil && bytes.text(at: info, 4) == "Info"
  }

  /// The first run of frames that begins less than `junkLimit` bytes behind `start`.
  ///
  /// Words of the file's blocks, no window of its own: a file with a tag every few seconds took 80 kB for each.
  static func firstRun(
    in file: RegularFile, from start: Int64
  ) throws(SoundFileError) -> (place: Int64, header: MPEGHeader)? {
    let end = min(start + Int64(junkLimit), file.size)
    var place = start
    while place < end {
      if let header = try run(in: file, from: place) { return (place, header) }
      place += 1
    }
    return nil
  }

  /// The header at `start`, if frames of one kind follow each other from there.
  private static func run(
    in file: RegularFile, from start: Int64
  ) throws(SoundFileError) -> MPEGHeader? {
    guard let first = MPEGHeader(try file.word(at: start)) else { return nil }
    var place = start + Int64(first.length)
    for _ in 1..<framesInARow {
      // A file of one or two frames, maybe with a tag behind, is as good as a longer one.
      if place == file.size { return first }
      if try isTag(at: place, in: file) { return first }
      guard let next = MPEGHeader(try file.word(at: place)), next.constant == first.constant
      else { return nil }
      place += Int64(next.length)
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
      guard end + 10 <= file.size else { break }
      // "ID3", the version in two bytes, flags, and the size in four times seven bits.
      let name = try file.word(at: end)
      let flags = try file.word(at: end + 4) >> 16
      let size = try file.word(at: end + 6)
      guard name >> 8 == 0x49_4433, name & 0xFF < 0xFF, size & 0x8080_8080 == 0 else { break }
      let bytes =
        size >> 3 & 0x0FE0_0000 | size >> 2 & 0x001F_C000 | size >> 1 & 0x3F80 | size & 0x7F
      end += 10 + Int64(bytes) + (flags & 0x10 != 0 ? 10 : 0)
    }
    return min(end, file.size)
  }

  /// Tells whether a tag of the kinds that are put behind the frames begins at `place`.
  static func isTag(at place: Int64, in file: RegularFile) throws(SoundFileError) -> Bool {
    let word = try file.word(at: place)
    switch word {
    // "APET" and "LYRI".
    case 0x4150_4554: return try file.word(at: place + 4) == 0x4147_4558
    case 0x4C59_5249: return try file.word(at: place + 4) == 0x4353_4245
    // "TAG" and "ID3".
    default: return word >> 8 == 0x54_4147 || word >> 8 == 0x49_4433
    }
  }
}
