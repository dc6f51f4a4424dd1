// SPDX-License-Identifier: Apache-2.0

import DecodeMessages

/// Metadata of a file that the helper decodes, read here where that is more than libavformat tells:
/// names with several values, chapters within others and in 100 ns, and pictures by their places alone.
struct HelperMetadata {
  private enum Kind {
    case mpeg4(MPEG4Metadata)
    case matroska(MatroskaMetadata)
    /// In front of the sound and behind it.
    case around(MPEGTags)
    case asf(ASFPictures)
    case none
  }

  private let kind: Kind
  private let file: RegularFile

  init(of file: RegularFile) throws(SoundFileError) {
    self.file = file
    let head = try file.bytes(at: 0, count: 64)
    switch HelperSignature.kind(of: head) {
    case HelperSignature.mpeg4: kind = .mpeg4(try MPEG4Metadata(of: file))
    case HelperSignature.matroska: kind = .matroska(try MatroskaMetadata(of: file))
    case HelperSignature.asf: kind = .asf(ASFPictures(of: file))
    case let name where name == nil || HelperSignature.taggedKinds.contains(name!):
      let start = try MPEGStream.endOfTags(file)
      // What libsndfile refused.
      let isOther = ["RIFF", "RIFX", "FORM", "caff", "OggS"].contains(head.text(at: 0, 4))
      kind =
        isOther
        ? .none
        : .around(
          MPEGTags(of: file, firstFrame: start, looksAtEnd: name != nil && !file.isSequential))
    default: kind = .none
    }
  }

  /// Returns how the bytes of a file that is elsewhere are to be taken, which is a `name`.
  func supply(of name: String) -> ShownFile.Supply {
    guard file.isSequential else {
      return HelperSignature.bareKinds.contains(name) ? .askedInOrder : .asked
    }
    guard case .mpeg4(let reader) = kind else { return .askedInOrder }
    // A table behind the sound is waited for.
    return reader.isBehindSound ? .asked : reader.isInParts ? .askedInParts : .askedInOrder
  }

  /// With what the helper has found beside: names that are not read here, and chapters where there are none, or more
  /// than fit the list that is.
  func metadata(with tags: Tags, _ chapters: [Chapter]) throws(SoundFileError) -> FileMetadata {
    var found = try metadata()
    // mp4v2 writes the number of more than 255 as the rest by 256.
    if case .mpeg4 = kind, chapters.count > found.chapters.count { found.chapters = [] }
    found.fill(from: FileMetadata(tags: tags, chapters: chapters))
    return found
  }

  private func metadata() throws(SoundFileError) -> FileMetadata {
    switch kind {
    case .mpeg4(let reader): try reader.metadata()
    case .matroska(let reader): try reader.metadata()
    case .around(let tags): try tags.metadata()
    case .asf, .none: FileMetadata()
    }
  }

  /// Returns the file that the helper is to see: no pictures of some size, all of which libavformat would read.
  func shown() throws(SoundFileError) -> ShownFile {
    var shown = ShownFile(window: 0..<file.size)
    let isLarge = try pictures().contains { $0.byteCount > Self.smallPicture }
    // Beside a tag libavformat does not know a packet or two for what they are.
    let isSmall = if case .around = kind { file.size < Self.smallFile } else { false }
    guard isLarge || isSmall else { return shown }
    switch kind {
    case .mpeg4(let reader): shown.patches = try reader.patchesWithoutPictures()
    case .matroska(let reader): shown.patches = try reader.patchesWithoutPictures()
    case .around(let tags): shown.window = try tags.sound()
    case .asf, .none: break
    }
    return shown
  }

  /// Bytes of a picture that may be read by the way.
  private static let smallPicture = 1 << 16
  private static let smallFile: Int64 = 1 << 16

  func pictures() throws(SoundFileError) -> [Picture] {
    switch kind {
    case .mpeg4(let reader): try reader.pictures()
    case .matroska(let reader): try reader.pictures()
    case .around(let tags): try tags.pictures()
    case .asf(let reader): try reader.pictures()
    case .none: []
    }
  }
}
