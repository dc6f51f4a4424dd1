// SPDX-License-Identifier: Apache-2.0

/// A picture in a file, such as its cover: what it is, and where its bytes are.
///
/// They are read by `SoundFile.bytes(of:atMost:)`, and by nothing else.
public struct Picture: Hashable, Sendable {
  /// Kinds of pictures, by the list that ID3, FLAC and Vorbis share.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case other = 0
    case fileIcon, otherFileIcon, frontCover, backCover, leaflet, medium, leadArtist, artist,
      conductor, band, composer, lyricist, recordingLocation, duringRecording, duringPerformance,
      screenCapture, brightColouredFish, illustration, bandLogotype, publisherLogotype
  }

  /// The kind of what the picture shows.
  public let kind: Kind
  /// The type of its bytes, such as "image/jpeg"; empty where that is not known.
  public let mediaType: String
  /// The file's description of the picture; empty as a rule.
  public let description: String
  /// Bytes of the picture.
  public let byteCount: Int
  let source: PictureSource

  init(
    _ kind: UInt8, mediaType: String, description: String, byteCount: Int, source: PictureSource
  ) {
    self.kind = Kind(rawValue: kind) ?? .other
    (self.mediaType, self.description) = (mediaType, description)
    (self.byteCount, self.source) = (byteCount, source)
  }

  /// So many are told of a file, at most.
  static let most = 64

  /// The type that the first bytes of a picture tell; empty for others.
  static func mediaType(of head: [UInt8]) -> String {
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if head.text(at: 0, 4) == "GIF8" { return "image/gif" }
    if head.text(at: 0, 2) == "BM" { return "image/bmp" }
    return head.text(at: 0, 4) == "RIFF" && head.text(at: 8, 4) == "WEBP" ? "image/webp" : ""
  }
}

/// The place of a picture's bytes.
enum PictureSource: Hashable, Sendable {
  /// In the file, in one place or several.
  case file(pieces: [Range<Int64>], coding: Coding)
  /// A picture that the helper has found, by its number there.
  case helper(Int)

  enum Coding: Hashable, Sendable {
    case plain
    /// A zero behind each 0xFF is none of its bytes (ID3v2 §6.1).
    case unsynchronised
    /// Base64, and so many bytes in front of the picture within it.
    case base64(skipping: Int)
  }
}
