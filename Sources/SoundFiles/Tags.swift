// SPDX-License-Identifier: Apache-2.0

/// What a file says of itself; every field may be absent.
///
/// Text that is not valid UTF-8 is read as Latin-1. Fields with several values have them joined by
/// "; ".
public struct Tags: Hashable, Sendable {
  /// The name of the piece.
  public var title: String?
  /// Who performs it.
  public var artist: String?
  /// The collection it is from.
  public var album: String?
  /// Who the collection is filed under.
  public var albumArtist: String?
  /// Who wrote it.
  public var composer: String?
  /// Its place in the collection, as written: "3" or "3/12".
  public var trackNumber: String?
  /// The disc of the collection, as written.
  public var discNumber: String?
  /// The kind of music.
  public var genre: String?
  /// When it was made, as written: "1999" or "1999-12-31".
  public var date: String?
  /// Anything else.
  public var comment: String?

  /// No tags.
  public init() {}
}
