// SPDX-License-Identifier: Apache-2.0

/// An APEv2 tag, by its footer at the end of a file or its header in front: names with values, of which a zero
/// separates several.
struct APETag {
  /// With its header.
  let range: Range<Int64>
  private let items: Range<Int64>
  private let count: Int
  private let file: RegularFile

  private static let longest = 1 << 18
  private static let most = 1 << 22
  private static let mostItems = 4_000
  private static let longestHead = 512

  /// nil where no tag ends at `end`.
  init?(endingAt end: Int64, in file: RegularFile) throws(SoundFileError) {
    let footer = try file.bytes(at: end - 32, count: 32)
    guard footer.count == 32, footer.text(at: 0, 8) == "APETAGEX", footer[23] & 0x20 == 0 else {
      return nil
    }
    // Of items and footer.
    let size = Int64(footer.little(at: 12, 4))
    guard size >= 32, size <= end else { return nil }
    items = end - size..<end - 32
    range = max(0, end - size - (footer[23] & 0x80 != 0 ? 32 : 0))..<end
    (self.file, count) = (file, Int(footer.little(at: 16, 4)))
  }

  /// nil where no tag begins at `start` with a header.
  init?(at start: Int64, in file: RegularFile) throws(SoundFileError) {
    let header = try file.bytes(at: start, count: 32)
    guard header.count == 32, header.text(at: 0, 8) == "APETAGEX", header[23] & 0x20 != 0 else {
      return nil
    }
    let end = min(start + 32 + Int64(header.little(at: 12, 4)), file.size)
    items = start + 32..<max(start + 32, end - 32)
    range = start..<end
    (self.file, count) = (file, Int(header.little(at: 16, 4)))
  }

  func metadata() throws(SoundFileError) -> FileMetadata {
    var (found, rest) = (FileMetadata(), Self.most)
    try walk { name, kind, value throws(SoundFileError) in
      guard kind == 0, value.count <= min(Self.longest, rest) else { return }
      rest -= value.count
      let bytes = try file.bytes(at: value.lowerBound, count: value.count)
      for text in bytes.split(separator: 0) {
        found.tags.add(String(tagBytes: text), to: Tags.Name(name))
      }
    }
    return found
  }

  /// "Cover Art (Front)" and the like: a file's name, a zero, and the picture.
  func pictures() throws(SoundFileError) -> [Picture] {
    var all: [Picture] = []
    try walk { name, kind, value throws(SoundFileError) in
      guard kind == 1, name.lowercased().hasPrefix("cover art"), all.count < Picture.most else {
        return
      }
      let head = try file.bytes(at: value.lowerBound, count: min(value.count, Self.longestHead))
      guard let zero = head.firstIndex(of: 0), zero + 1 < value.count else { return }
      let place = value.lowerBound + Int64(zero + 1)..<value.upperBound
      let isBack = name.lowercased().contains("back")
      all.append(
        Picture(
          isBack ? 4 : name.lowercased().contains("front") ? 3 : 0,
          mediaType: Picture.mediaType(of: Array(head[(zero + 1)...])),
          description: String(tagBytes: head[..<zero]), byteCount: place.count,
          source: .file(pieces: [place], coding: .plain)))
    }
    return all
  }

  /// Shows the name, the kind (0 for text, 1 for bytes) and the place of each value.
  private func walk(
    _ body: (String, UInt8, Range<Int64>) throws(SoundFileError) -> Void
  ) throws(SoundFileError) {
    var place = items.lowerBound
    for _ in 0..<min(count, Self.mostItems) {
      let head = try file.bytes(
        at: place, count: Int(min(8 + 256, max(0, items.upperBound - place))))
      guard head.count > 8, let zero = head[8...].firstIndex(of: 0), zero > 8 else { return }
      let begin = place + Int64(zero + 1)
      let size = Int64(head.little(at: 0, 4))
      guard size <= items.upperBound - begin else { return }
      if size > 0 {
        try body(String(tagBytes: head[8..<zero]), head[4] >> 1 & 3, begin..<begin + size)
      }
      place = begin + size
    }
  }
}
