// SPDX-License-Identifier: Apache-2.0

import DecodeMessages
import MediaTime

/// Metadata of an MP4 file: the list of items that iTunes has, and Nero's list of chapters.
struct MPEG4Metadata {
  private let file: RegularFile
  /// The content of "ilst", and of "chpl".
  private let items: Range<Int64>?
  private let chapterList: Range<Int64>?
  /// The sound stands in front of its table.
  let isBehindSound: Bool
  /// The table comes in parts.
  let isInParts: Bool

  private static let longest = 1 << 18
  private static let most = 1 << 22

  init(of file: RegularFile) throws(SoundFileError) {
    self.file = file
    var (items, list): (Range<Int64>?, Range<Int64>?) = (nil, nil)
    var (movie, hasSound): (Range<Int64>?, Bool) = (nil, false)
    try MPEG4Box.walk(0..<file.size, of: file) { box throws(SoundFileError) in
      if box.name == "mdat" { hasSound = true }
      if box.name == "moov" { movie = box.content }
      return movie == nil
    }
    isBehindSound = hasSound
    var parts: Range<Int64>?
    if let movie { parts = try MPEG4Box.first("mvex", in: movie, of: file) }
    isInParts = parts != nil
    if let movie, let data = try MPEG4Box.first("udta", in: movie, of: file) {
      list = try MPEG4Box.first("chpl", in: data, of: file)
      if let meta = try MPEG4Box.first("meta", in: data, of: file), meta.count > 4 {
        // A version in four bytes is in front of the boxes, but not in QuickTime's files.
        let isBare = try file.bytes(at: meta.lowerBound + 4, count: 4).text(at: 0, 4) == "hdlr"
        items = try MPEG4Box.first(
          "ilst", in: meta.lowerBound + (isBare ? 0 : 4)..<meta.upperBound, of: file)
      }
    }
    (self.items, chapterList) = (items, list)
  }

  func metadata() throws(SoundFileError) -> FileMetadata {
    var (found, rest) = (FileMetadata(), Self.most)
    try walkItems { name, kind, value throws(SoundFileError) in
      guard name != "covr", value.count <= min(Self.longest, rest) else { return }
      rest -= value.count
      let bytes = try file.bytes(at: value.lowerBound, count: value.count)
      MPEG4Names.add(name, kind, bytes, to: &found.tags)
    }
    found.chapters = try chapters()
    return found
  }

  func pictures() throws(SoundFileError) -> [Picture] {
    var all: [Picture] = []
    try walkItems { name, kind, value throws(SoundFileError) in
      guard name == "covr", !value.isEmpty, all.count < Picture.most else { return }
      let stated = [13: "image/jpeg", 14: "image/png", 27: "image/bmp"][kind]
      let head = try file.bytes(at: value.lowerBound, count: 12)
      all.append(
        Picture(
          3, mediaType: stated ?? Picture.mediaType(of: head), description: "",
          byteCount: value.count,
          source: .file(pieces: [value], coding: .plain)))
    }
    return all
  }

  /// Returns patches that make of the pictures boxes that nobody reads.
  func patchesWithoutPictures() throws(SoundFileError) -> [ShownFile.Patch] {
    guard let items else { return [] }
    var patches: [ShownFile.Patch] = []
    try MPEG4Box.walk(items, of: file) { item throws(SoundFileError) in
      if item.name == "covr" {
        patches.append(ShownFile.Patch(offset: item.namePlace, bytes: Array("free".utf8)))
      }
      return patches.count < ShownFile.mostPatches
    }
    return patches
  }

  /// Shows the name, the kind and the place of each value to `body`; of what has a name of its own, that.
  private func walkItems(
    _ body: (String, Int, Range<Int64>) throws(SoundFileError) -> Void
  ) throws(SoundFileError) {
    guard let items else { return }
    try MPEG4Box.walk(items, of: file) { item throws(SoundFileError) in
      var name = item.name
      try MPEG4Box.walk(item.content, of: file) { part throws(SoundFileError) in
        let head = try file.bytes(at: part.content.lowerBound, count: min(part.content.count, 260))
        switch part.name {
        case "name" where item.name == "----" && head.count > 4:
          name = "----" + String(tagBytes: head[4...])
        case "data" where head.count >= 8:
          try body(
            name, Int(head.big(at: 1, 3)), part.content.lowerBound + 8..<part.content.upperBound)
        default: break
        }
        return true
      }
      return true
    }
  }

  /// "chpl": a count in one byte, and of each chapter its start in 100 ns, and a title behind its length.
  private func chapters() throws(SoundFileError) -> [Chapter] {
    guard let chapterList else { return [] }
    let bytes = try file.bytes(
      at: chapterList.lowerBound, count: min(chapterList.count, 9 + 255 * (9 + 255)))
    guard let version = bytes.first else { return [] }
    var offset = version == 0 ? 4 : 8
    guard offset < bytes.count else { return [] }
    let count = Int(bytes[offset])
    offset += 1
    var chapters: [Chapter] = []
    for _ in 0..<count {
      guard offset + 9 <= bytes.count else { break }
      let length = Int(bytes[offset + 8])
      guard offset + 9 + length <= bytes.count else { break }
      let title = String(tagBytes: bytes[(offset + 9)..<(offset + 9 + length)])
      if let start = Chapter.time(bytes.big(at: offset, 8), timescale: 10_000_000) {
        chapters.append(Chapter(title: title.isEmpty ? nil : title, start: start))
      }
      offset += 9 + length
    }
    return chapters.inOrder()
  }

  /// So many chapters fit "chpl".
  static let mostInList = 255
}
