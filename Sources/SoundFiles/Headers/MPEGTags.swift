// SPDX-License-Identifier: Apache-2.0

/// The tags in front of MPEG frames and behind them: ID3v2, APE and ID3v1.
///
/// What stands in front counts more, and ID3v2
/// more than the others.
struct MPEGTags {
  private let file: RegularFile
  private let firstFrame: Int64
  private let looksAtEnd: Bool

  /// The end of what is elsewhere comes when all before it has, or with a request that a tag is not worth, unless
  /// `looksAtEnd` says that tags are there alone.
  init(of file: RegularFile, firstFrame: Int64, looksAtEnd: Bool = false) {
    (self.file, self.firstFrame) = (file, firstFrame)
    self.looksAtEnd = looksAtEnd || !file.isRemote
  }

  func metadata() throws(SoundFileError) -> FileMetadata {
    var found = FileMetadata()
    let places = try places()
    for tag in places.id3 { found.fill(from: try tag.metadata()) }
    for tag in places.ape { found.fill(from: try tag.metadata()) }
    if looksAtEnd, let v1 = Tags(id3v1: try file.bytes(at: file.size - 128, count: 128)) {
      // What is cut off after 30 bytes adds nothing.
      found.tags.fill(from: v1)
    }
    return found
  }

  func pictures() throws(SoundFileError) -> [Picture] {
    var all: [Picture] = []
    let places = try places()
    for tag in places.id3 { all += try tag.pictures() }
    for tag in places.ape { all += try tag.pictures() }
    return Array(all.prefix(Picture.most))
  }

  /// Returns the bytes between the tags.
  func sound() throws(SoundFileError) -> Range<Int64> {
    try places().sound
  }

  private func places() throws(SoundFileError) -> (
    id3: [ID3Tag], ape: [APETag], sound: Range<Int64>
  ) {
    var (id3, ape, place): ([ID3Tag], [APETag], Int64) = ([], [], 0)
    for _ in 0..<8 where place < firstFrame {
      if let tag = try ID3Tag(at: place, in: file) {
        id3.append(tag)
        place = tag.range.upperBound
      } else if let tag = try APETag(at: place, in: file) {
        ape.append(tag)
        place = tag.range.upperBound
      } else {
        break
      }
    }
    var end = file.size
    guard looksAtEnd else { return (id3, ape, place..<max(place, end)) }
    for _ in 0..<8 {
      guard let start = try startOfTag(endingAt: end, &id3, &ape), start > max(place, firstFrame)
      else { break }
      end = start
    }
    return (id3, ape, place..<max(place, end))
  }

  /// Returns the place where the tag begins that ends at `end`; nil where none does.
  private func startOfTag(
    endingAt end: Int64, _ id3: inout [ID3Tag], _ ape: inout [APETag]
  ) throws(SoundFileError) -> Int64? {
    if try file.bytes(at: end - 128, count: 3).text(at: 0, 3) == "TAG" { return end - 128 }
    if let tag = try APETag(endingAt: end, in: file) {
      if tag.range.lowerBound >= firstFrame { ape.append(tag) }
      return tag.range.lowerBound
    }
    // Lyrics3 2.00: its length in six digits, and a name.
    let lyrics = try file.bytes(at: end - 15, count: 15)
    if lyrics.text(at: 6, 9) == "LYRICS200", let size = Int64(lyrics.text(at: 0, 6)) {
      return end - 15 - size
    }
    // ID3v2.4 behind the frames has a footer, its header the other way round.
    let footer = try file.bytes(at: end - 10, count: 10)
    if footer.text(at: 0, 3) == "3DI", footer.count == 10 {
      let size = footer[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
      guard let tag = try ID3Tag(at: end - size - 20, in: file) else { return nil }
      id3.append(tag)
      return tag.range.lowerBound
    }
    return nil
  }
}
