// SPDX-License-Identifier: Apache-2.0

/// A song as clients are told of it: a file of the library, another file, or an address.
final class Song: Hashable, Sendable {
  /// Path below the music folder, "file://" and a path, or an address.
  let uri: String
  /// Values of tags, in the order in which they are told.
  let values: [SongValue]
  /// Length in nanoseconds; nil where that is not known.
  let nanoseconds: Int64?
  /// Moment of the last change of the file, in seconds since 1970; nil where there is no file.
  let modified: Int64?
  /// The frames' format, "44100:16:2"; nil where that is not known.
  let format: String?
  /// The part of the file that is played, in nanoseconds; nil for all of it.
  let range: SongPart?

  init(
    uri: String, values: [SongValue] = [], nanoseconds: Int64? = nil, modified: Int64? = nil,
    format: String? = nil, range: SongPart? = nil
  ) {
    (self.uri, self.values, self.nanoseconds) = (uri, values, nanoseconds)
    (self.modified, self.format, self.range) = (modified, format, range)
  }

  /// The same song, of which another part is played.
  func with(range: SongPart?) -> Song {
    Song(
      uri: uri, values: values, nanoseconds: nanoseconds, modified: modified, format: format,
      range: range)
  }

  /// The same song with other tags.
  func with(values: [SongValue]) -> Song {
    Song(
      uri: uri, values: values, nanoseconds: nanoseconds, modified: modified, format: format,
      range: range)
  }

  /// Length of what is played, in nanoseconds; nil where that is not known.
  var playedNanoseconds: Int64? {
    guard let range else { return nanoseconds }
    return (range.end ?? nanoseconds).map { max(0, $0 - range.start) }
  }

  /// The values of one tag, or of what stands in for it.
  func values(of tag: SongTag) -> [String] {
    var tag: SongTag? = tag
    while let known = tag {
      let found = values.filter { $0.tag == known }.map(\.text)
      if !found.isEmpty { return found }
      tag = known.fallback
    }
    return []
  }

  static func == (a: Song, b: Song) -> Bool {
    a.uri == b.uri && a.values == b.values && a.nanoseconds == b.nanoseconds
      && a.modified == b.modified && a.format == b.format && a.range == b.range
  }

  func hash(into hasher: inout Hasher) { hasher.combine(uri) }
}
