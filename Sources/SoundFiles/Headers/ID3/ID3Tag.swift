// SPDX-License-Identifier: Apache-2.0

/// An ID3v2 tag (versions 2.2 to 2.4): where its frames are, and what they say.
struct ID3Tag {
  /// 2, 3 or 4.
  let version: Int
  /// The whole tag, its footer included.
  let range: Range<Int64>
  /// Place of the frames, behind the extended header.
  private let body: Range<Int64>
  private let isUnsynchronised: Bool
  private let file: RegularFile

  /// Bytes of an unsynchronised tag that are made anew for its texts.
  private static let mostUnsynchronised = 1 << 20

  /// nil where no tag begins at `start`.
  init?(at start: Int64, in file: RegularFile) throws(SoundFileError) {
    let head = try file.bytes(at: start, count: 10)
    guard head.count == 10, head.text(at: 0, 3) == "ID3", (2...4).contains(head[3]),
      head[6..<10].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = head[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    (self.file, version) = (file, Int(head[3]))
    isUnsynchronised = head[5] & 0x80 != 0
    let end = min(start + 10 + size, file.size)
    range = start..<min(end + (version == 4 && head[5] & 0x10 != 0 ? 10 : 0), file.size)
    var begin = start + 10
    if version > 2, head[5] & 0x40 != 0 {
      let extended = try file.bytes(at: begin, count: 4)
      let size = Int64(
        version == 4
          ? extended.reduce(0) { $0 << 7 | Int($1 & 0x7F) } : Int(extended.big(at: 0, 4)) + 4)
      begin += size
    }
    body = min(begin, end)..<end
  }

  /// Its frames; a picture among them is passed by.
  func frames() throws(SoundFileError) -> [ID3Frame] {
    var (region, count) = (ID3Region(body, of: file), 0)
    if isUnsynchronised, version < 4 {
      region = try region.resynchronised(atMost: Self.mostUnsynchronised)
    }
    // Of 2.4 each frame is by itself; the flags of frames may say nothing of it.
    return try ID3Frame.frames(
      in: region, version: version, areUnsynchronised: isUnsynchronised && version == 4,
      count: &count)
  }

  func metadata() throws(SoundFileError) -> FileMetadata {
    let frames = try frames()
    var (found, reader) = (FileMetadata(), ID3FrameReader())
    for frame in frames { try reader.read(frame, into: &found.tags) }
    found.chapters = try ID3Chapters(frames, version: version).chapters
    return found
  }

  func pictures() throws(SoundFileError) -> [Picture] {
    var all: [Picture] = []
    for frame in try frames() where frame.id == "APIC" && all.count < Picture.most {
      if let picture = try ID3FrameReader.picture(frame, version: version) { all.append(picture) }
    }
    return all
  }
}
