// SPDX-License-Identifier: Apache-2.0

import DecodeMessages
import MediaTime

/// Metadata of a Matroska file (RFC 9559): chapters within each other, tags and attached pictures.
///
/// libavformat tells of the outermost chapters alone, and has read the pictures by then.
struct MatroskaMetadata {
  private let file: RegularFile
  /// The parts by what they are, each once.
  private var parts: [UInt32: Range<Int64>] = [:]
  private var attachments: EBMLElement?

  private enum ID {
    static let segment: UInt32 = 0x1853_8067
    static let seekHead: UInt32 = 0x114D_9B74
    static let cluster: UInt32 = 0x1F43_B675
    static let info: UInt32 = 0x1549_A966
    static let chapters: UInt32 = 0x1043_A770
    static let attachments: UInt32 = 0x1941_A469
    static let tags: UInt32 = 0x1254_C367
  }

  init(of file: RegularFile) throws(SoundFileError) {
    self.file = file
    var segment: Range<Int64>?
    try EBMLElement.walk(0..<file.size, of: file) { element throws(SoundFileError) in
      if element.id == ID.segment { segment = element.content }
      return segment == nil
    }
    guard let segment else { return }
    var (found, seeks): ([UInt32: Range<Int64>], [Range<Int64>]) = ([:], [])
    var attached: EBMLElement?
    try EBMLElement.walk(segment, of: file) { element throws(SoundFileError) in
      if element.id == ID.cluster { return false }
      if element.id == ID.seekHead { seeks.append(element.content) }
      if element.id == ID.attachments, attached == nil { attached = element }
      if found[element.id] == nil { found[element.id] = element.content }
      return true
    }
    // What stands behind the sound.
    var places: [Int64] = []
    // With bytes that come in their order alone that is there once all is.
    for seek in seeks.prefix(4) where !file.isSequential { places += try Self.places(seek, file) }
    for place in places {
      let (start, overflow) = segment.lowerBound.addingReportingOverflow(place)
      guard !overflow, segment.contains(start),
        let element = try EBMLElement(at: start, before: segment.upperBound, in: file)
      else { continue }
      if element.id == ID.attachments, attached == nil { attached = element }
      if found[element.id] == nil { found[element.id] = element.content }
    }
    (parts, attachments) = (found, attached)
  }

  /// The places of a SeekHead, from the segment's content on.
  private static func places(
    _ seek: Range<Int64>, _ file: RegularFile
  ) throws(SoundFileError) -> [Int64] {
    var places: [Int64] = []
    try EBMLElement.walk(seek, of: file) { entry throws(SoundFileError) in
      try EBMLElement.walk(entry.content, of: file) { field throws(SoundFileError) in
        if field.id == 0x53AC, let place = try field.number(in: file), place < 1 << 60 {
          places.append(Int64(place))
        }
        return true
      }
      return places.count < 100
    }
    return places
  }

  func metadata() throws(SoundFileError) -> FileMetadata {
    var found = FileMetadata()
    if let tags = parts[ID.tags] { found.tags = try MatroskaTags(tags, of: file).tags }
    if found.tags.title == nil, let info = parts[ID.info] {
      try EBMLElement.walk(info, of: file) { field throws(SoundFileError) in
        if field.id == 0x7BA9, let title = try field.text(in: file, atMost: 4_096) {
          found.tags.add(title, to: .title)
        }
        return true
      }
    }
    if let chapters = parts[ID.chapters] {
      var editions = MatroskaChapters(of: file)
      found.chapters = try editions.read(chapters)
    }
    return found
  }

  /// Returns patches that make of the attached files one element that nobody reads.
  func patchesWithoutPictures() throws(SoundFileError) -> [ShownFile.Patch] {
    guard let attachments else { return [] }
    return [ShownFile.Patch(offset: attachments.start, bytes: attachments.voidHeader)]
  }

  /// The attached files that are pictures.
  func pictures() throws(SoundFileError) -> [Picture] {
    guard let attachments = parts[ID.attachments] else { return [] }
    var all: [Picture] = []
    try EBMLElement.walk(attachments, of: file) { attached throws(SoundFileError) in
      var (name, type, text, data) = ("", "", "", Range<Int64>?.none)
      try EBMLElement.walk(attached.content, of: file) { field throws(SoundFileError) in
        switch field.id {
        case 0x467E: text = try field.text(in: file, atMost: 4_096) ?? ""
        case 0x466E: name = try field.text(in: file, atMost: 4_096) ?? ""
        case 0x4660: type = try field.text(in: file, atMost: 256) ?? ""
        case 0x465C: data = field.content
        default: break
        }
        return true
      }
      if let data, !data.isEmpty, type.hasPrefix("image/") {
        all.append(
          Picture(
            name.lowercased().hasPrefix("cover") ? 3 : 0, mediaType: type,
            description: text.isEmpty ? name : text, byteCount: data.count,
            source: .file(pieces: [data], coding: .plain)))
      }
      return all.count < Picture.most
    }
    return all
  }
}
