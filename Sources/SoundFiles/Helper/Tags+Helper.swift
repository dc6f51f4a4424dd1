// SPDX-License-Identifier: Apache-2.0

import DecodeMessages

extension Tags {
  /// Tags by the names that libavformat has for them; a name that comes again has another value of it.
  init(helper tags: [StreamDescription.Tag]) {
    self.init()
    for tag in tags {
      guard let field = Self.field(named: tag.name.lowercased()), !tag.value.isEmpty else {
        continue
      }
      let known = self[keyPath: field]
      if known == tag.value { continue }
      self[keyPath: field] = known.map { "\($0); \(tag.value)" } ?? tag.value
    }
  }

  private static func field(named name: String) -> WritableKeyPath<Tags, String?>? {
    switch name {
    case "title": \.title
    case "artist": \.artist
    case "album": \.album
    case "album_artist", "albumartist": \.albumArtist
    case "composer": \.composer
    case "track", "tracknumber": \.trackNumber
    case "disc", "discnumber": \.discNumber
    case "genre": \.genre
    case "date", "year": \.date
    case "comment", "description": \.comment
    default: nil
    }
  }
}
