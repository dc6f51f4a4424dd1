// SPDX-License-Identifier: Apache-2.0

/// One frame of an ID3v2 tag: what it is, and where its content is.
struct ID3Frame {
  /// Of four letters, as in ID3v2.3 and later.
  let id: String
  let content: ID3Region
  /// Place of its content in the file; nil where that is not told, in a tag that is unsynchronised as a whole.
  let place: Range<Int64>?
  /// Bytes of the content, where zeros among them in the file are none of it; nil where all are.
  let synchronisedSize: Int?

  /// Bytes from a place in the file on, as they are there.
  func bytesInFile(_ place: Int64, count: Int) throws(SoundFileError) -> [UInt8] {
    try content.bytesInFile(place, count: count)
  }

  /// The frames of `region`, which a tag of `version` 2 to 4 has behind its headers.
  ///
  /// Of an unsynchronised tag before 2.4 so much is read as is needed for texts. Of one of 2.4 all frames are that
  /// may be, whatever their own flags say, if `areUnsynchronised`.
  static func frames(
    in region: ID3Region, version: Int, areUnsynchronised: Bool = false, count: inout Int
  ) throws(SoundFileError) -> [ID3Frame] {
    let headSize: Int64 = version == 2 ? 6 : 10
    var (frames, place): ([ID3Frame], Int64) = ([], region.range.lowerBound)
    while place + headSize < region.range.upperBound, count < most {
      let head = try region.bytes(at: place, count: Int(headSize))
      guard head.count == Int(headSize), let name = name(head, version),
        let size = try size(head, version, region, place)
      else { break }
      let begin = place + headSize
      place = begin + Int64(size)
      guard place <= region.range.upperBound else { break }
      count += 1
      // Some taggers write frames of nothing.
      if size == 0 { continue }
      var flags = version == 2 ? 0 : Int(head[9])
      if areUnsynchronised, try mayBeUnsynchronised(region, begin..<place) { flags |= 0x02 }
      if let frame = try frame(name, version, flags, region.part(begin..<place)) {
        frames.append(frame)
      }
    }
    return frames
  }

  /// Frames of a tag that are looked at, those within others among them.
  private static let most = 40_000
  /// Bytes of a frame that are made anew.
  private static let mostUnsynchronised = 1 << 18

  private static func name(_ head: [UInt8], _ version: Int) -> String? {
    let length = version == 2 ? 3 : 4
    guard head.count > length, isName(head[..<length]) else { return nil }
    let name = head.text(at: 0, length)
    return version == 2 ? ID3Names.newer[name] ?? name : name
  }

  private static func isName(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.allSatisfy {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
  }

  /// Sizes of 2.4 have seven bits a byte; iTunes wrote eight for years.
  private static func size(
    _ head: [UInt8], _ version: Int, _ region: ID3Region, _ place: Int64
  ) throws(SoundFileError) -> Int? {
    switch version {
    case 2: return Int(head.big(at: 3, 3))
    case 3: return Int(head.big(at: 4, 4))
    default:
      let plain = Int(head.big(at: 4, 4))
      guard head[4..<8].allSatisfy({ $0 < 0x80 }) else { return plain }
      let safe = head[4..<8].reduce(0) { $0 << 7 | Int($1) }
      if plain > 127, try !isFrame(region, at: place + 10 + Int64(safe)),
        try isFrame(region, at: place + 10 + Int64(plain))
      {
        return plain
      }
      return safe
    }
  }

  /// Tells whether a frame begins at `place`, or padding, or nothing more.
  private static func isFrame(_ region: ID3Region, at place: Int64) throws(SoundFileError) -> Bool {
    if place == region.range.upperBound { return true }
    let head = try region.bytes(at: place, count: 4)
    return head.count == 4 && (isName(head) || head.allSatisfy { $0 == 0 })
  }

  /// False for what has marks in its first bytes that unsynchronisation would have broken up: some programs set the
  /// flag alone.
  private static func mayBeUnsynchronised(
    _ region: ID3Region, _ range: Range<Int64>
  ) throws(SoundFileError) -> Bool {
    let start = try region.bytes(at: range.lowerBound, count: min(range.count, 4_096))
    return !zip(start, start.dropFirst()).contains { $0 == 0xFF && $1 >= 0xE0 }
  }

  /// nil for what is compressed or encrypted.
  private static func frame(
    _ name: String, _ version: Int, _ flags: Int, _ content: ID3Region
  ) throws(SoundFileError) -> ID3Frame? {
    var begin = content.range.lowerBound
    switch version {
    case 3:
      if flags & 0xC0 != 0 { return nil }
      if flags & 0x20 != 0 { begin += 1 }
    case 4:
      if flags & 0x0C != 0 { return nil }
      if flags & 0x40 != 0 { begin += 1 }
      if flags & 0x01 != 0 { begin += 4 }
    default: break
    }
    guard begin < content.range.upperBound else { return nil }
    let part = content.part(begin..<content.range.upperBound)
    guard version == 4, flags & 0x02 != 0 else {
      return ID3Frame(
        id: name, content: part, place: part.isOfFile ? part.range : nil, synchronisedSize: nil)
    }
    let size = try content.bytes(at: begin - 4, count: 4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    return ID3Frame(
      id: name, content: try part.resynchronised(atMost: mostUnsynchronised),
      place: part.isOfFile ? part.range : nil,
      synchronisedSize: flags & 0x01 != 0 ? min(size, part.range.count) : part.range.count)
  }
}
