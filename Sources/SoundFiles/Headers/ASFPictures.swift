// SPDX-License-Identifier: Apache-2.0

/// The pictures of an ASF file: attributes "WM/Picture" of its header and of the extension of that.
struct ASFPictures {
  private let file: RegularFile

  init(of file: RegularFile) { self.file = file }

  private static let extendedContent: [UInt8] = [
    0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50,
  ]
  private static let headerExtension: [UInt8] = [
    0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
  ]
  private static let metadataLibrary: [UInt8] = [
    0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49, 0xA1, 0x41, 0x1D, 0x13, 0x4E, 0x45, 0x70, 0x54,
  ]

  func pictures() throws(SoundFileError) -> [Picture] {
    let size = Int64(clamping: try file.bytes(at: 16, count: 8).little(at: 0, 8))
    return try pictures(in: 30..<max(30, min(size, file.size)), depth: 1)
  }

  /// Of the objects in a place: a GUID, and a length with the head in it.
  private func pictures(
    in range: Range<Int64>, depth: Int
  ) throws(SoundFileError) -> [Picture] {
    var (all, place): ([Picture], Int64) = ([], range.lowerBound)
    for _ in 0..<1_000 where place + 24 <= range.upperBound && all.count < Picture.most {
      let head = try file.bytes(at: place, count: 24)
      let size = Int64(clamping: head.little(at: 16, 8))
      guard head.count == 24, size >= 24, size <= range.upperBound - place else { break }
      let content = place + 24..<place + size
      if head.starts(with: Self.extendedContent) {
        all += try attributes(content, isLibrary: false)
      } else if head.starts(with: Self.metadataLibrary) {
        all += try attributes(content, isLibrary: true)
      } else if head.starts(with: Self.headerExtension), depth < 2, content.count > 22 {
        // A GUID, two bytes and the length of what follows.
        all += try pictures(in: content.lowerBound + 22..<content.upperBound, depth: depth + 1)
      }
      place += size
    }
    return Array(all.prefix(Picture.most))
  }

  private func attributes(
    _ range: Range<Int64>, isLibrary: Bool
  ) throws(SoundFileError) -> [Picture] {
    let count = Int(try file.bytes(at: range.lowerBound, count: 2).little(at: 0, 2))
    var (all, place): ([Picture], Int64) = ([], range.lowerBound + 2)
    for _ in 0..<count where all.count < Picture.most {
      let (name, value, next): (String, Range<Int64>, Int64)
      if isLibrary {
        let head = try file.bytes(at: place, count: 12)
        let length = Int(head.little(at: 4, 2))
        let begin = place + 12 + Int64(length)
        next = begin + Int64(head.little(at: 8, 4))
        (name, value) = (try text(place + 12, length), begin..<next)
      } else {
        let length = Int(try file.bytes(at: place, count: 2).little(at: 0, 2))
        let head = try file.bytes(at: place + 2 + Int64(length), count: 4)
        let begin = place + 6 + Int64(length)
        next = begin + Int64(head.little(at: 2, 2))
        (name, value) = (try text(place + 2, length), begin..<next)
      }
      guard next <= range.upperBound else { break }
      if name == "WM/Picture", let picture = try picture(value) { all.append(picture) }
      place = next
    }
    return all
  }

  private func text(_ place: Int64, _ length: Int) throws(SoundFileError) -> String {
    Self.text(try file.bytes(at: place, count: min(length, 64))[...]).text
  }

  /// UTF-16 with its lowest byte first, up to a zero.
  private static func text(
    _ bytes: ArraySlice<UInt8>
  ) -> (text: String, rest: ArraySlice<UInt8>) {
    var (units, place): ([UInt16], Int) = ([], bytes.startIndex)
    while place + 1 < bytes.endIndex {
      let unit = UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
      place += 2
      if unit == 0 { break }
      units.append(unit)
    }
    return (String(decoding: units, as: UTF16.self), bytes[place...])
  }

  /// Reads a picture: what it shows, its length, type and description, and its bytes.
  private func picture(_ range: Range<Int64>) throws(SoundFileError) -> Picture? {
    let head = try file.bytes(at: range.lowerBound, count: min(range.count, 1 << 12))
    guard head.count > 9 else { return nil }
    let size = Int64(head.little(at: 1, 4))
    let (type, rest) = Self.text(head[5...])
    let (description, data) = Self.text(rest)
    let begin = range.lowerBound + Int64(data.startIndex)
    guard size > 0, size <= range.upperBound - begin else { return nil }
    return Picture(
      head[0], mediaType: type, description: description, byteCount: Int(size),
      source: .file(pieces: [begin..<begin + size], coding: .plain))
  }
}
