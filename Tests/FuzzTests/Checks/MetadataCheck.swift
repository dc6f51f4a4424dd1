// SPDX-License-Identifier: Apache-2.0

@testable import DecodeMessages
@testable import SoundFiles

/// Reads what stands beside the sound of files that begin with the bytes.
enum MetadataCheck {
  private static let most = 1 << 22

  static func id3(_ bytes: [UInt8]) throws {
    try run(bytes) { file in
      let start = try MPEGStream.endOfTags(file)
      let tags = MPEGTags(of: file, firstFrame: start)
      return (try tags.metadata(), try tags.pictures())
    }
  }

  static func mpeg4(_ bytes: [UInt8]) throws {
    try run(bytes) { file in
      let reader = try MPEG4Metadata(of: file)
      try check(try reader.patchesWithoutPictures().map(\.offset), of: file)
      return (try reader.metadata(), try reader.pictures())
    }
  }

  static func matroska(_ bytes: [UInt8]) throws {
    try run(bytes) { file in
      let reader = try MatroskaMetadata(of: file)
      try check(try reader.patchesWithoutPictures().map(\.offset), of: file)
      return (try reader.metadata(), try reader.pictures())
    }
  }

  private static func check(_ places: [Int64], of file: RegularFile) throws {
    try Finding.unless(
      places.allSatisfy { (0..<file.size).contains($0) }, "a patch beside the file")
  }

  private static func run(
    _ bytes: [UInt8], _ read: (RegularFile) throws -> (FileMetadata, [Picture])
  ) throws {
    guard !bytes.isEmpty else { return }
    let file = try RegularFile(bytes, name: "x")
    let (found, pictures) = try StepTime.bounded("tags") { try read(file) }
    let texts = found.tags.names.flatMap { found.tags[$0] }
    try Finding.unless(texts.allSatisfy { !$0.isEmpty }, "a value of nothing")
    try Finding.unless(
      texts.reduce(0) { $0 + $1.utf8.count } <= most, "more text than the file has")
    try Finding.unless(pictures.count <= Picture.most, "\(pictures.count) pictures")
    for picture in pictures {
      guard case .file(let pieces, let coding) = picture.source else { continue }
      try Finding.unless(picture.byteCount >= 0, "a picture of \(picture.byteCount) bytes")
      try Finding.unless(
        pieces.allSatisfy { $0.lowerBound >= 0 && !$0.isEmpty }, "a picture beside the file")
      let count = min(picture.byteCount, 1 << 16)
      let read = try PictureReading(pieces: pieces, coding: coding).bytes(count, of: file)
      try Finding.unless(read.count <= count, "\(read.count) of \(count) bytes")
    }
    try checkOrder(found.chapters, depth: 0)
  }

  private static func checkOrder(_ chapters: [Chapter], depth: Int) throws {
    try Finding.unless(depth <= 16, "chapters \(depth) deep")
    try Finding.unless(
      zip(chapters, chapters.dropFirst()).allSatisfy { $0.start <= $1.start },
      "chapters out of order")
    for chapter in chapters { try checkOrder(chapter.chapters, depth: depth + 1) }
  }
}
