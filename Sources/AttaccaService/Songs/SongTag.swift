// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// Tag of a song, by its name in the protocol (MPD's `tag_type`).
enum SongTag: String, CaseIterable, Sendable {
  case artist = "Artist"
  case artistSort = "ArtistSort"
  case album = "Album"
  case albumSort = "AlbumSort"
  case albumArtist = "AlbumArtist"
  case albumArtistSort = "AlbumArtistSort"
  case title = "Title"
  case track = "Track"
  case name = "Name"
  case genre = "Genre"
  case date = "Date"
  case originalDate = "OriginalDate"
  case composer = "Composer"
  case composerSort = "ComposerSort"
  case performer = "Performer"
  case conductor = "Conductor"
  case work = "Work"
  case ensemble = "Ensemble"
  case movement = "Movement"
  case movementNumber = "MovementNumber"
  case location = "Location"
  case grouping = "Grouping"
  case comment = "Comment"
  case disc = "Disc"
  case label = "Label"
  case musicBrainzArtist = "MUSICBRAINZ_ARTISTID"
  case musicBrainzAlbum = "MUSICBRAINZ_ALBUMID"
  case musicBrainzAlbumArtist = "MUSICBRAINZ_ALBUMARTISTID"
  case musicBrainzTrack = "MUSICBRAINZ_TRACKID"
  case musicBrainzReleaseTrack = "MUSICBRAINZ_RELEASETRACKID"
  case musicBrainzWork = "MUSICBRAINZ_WORKID"

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })
  private static let numbers = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

  /// The tag of a name, in letters of either case; nil where there is none.
  init?(named name: some StringProtocol) {
    guard let known = Self.byName[name.lowercased()] else { return nil }
    self = known
  }

  /// Number of the tag, which the index of the library keeps.
  var number: Int { Self.numbers[self] ?? 0 }

  /// The subjects of the engine's tags that are told under this name, in order.
  var subjects: [Tags.Name] { Self.allSubjects[self] ?? [] }

  // Made once: a name is folded when it is made, which was a twentieth of a scan.
  private static let allSubjects = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, $0.madeSubjects) })

  private var madeSubjects: [Tags.Name] {
    switch self {
    case .artist: [.artist]
    case .artistSort: [.artistSort]
    case .album: [.album]
    case .albumSort: [.albumSort]
    case .albumArtist: [.albumArtist]
    case .albumArtistSort: [.albumArtistSort]
    case .title: [.title]
    case .track: [.track]
    case .genre: [.genre]
    case .date: [.date]
    case .originalDate: [.originalDate]
    case .composer: [.composer]
    case .composerSort: [.composerSort]
    case .performer: [.performer]
    case .conductor: [.conductor]
    case .grouping: [.grouping]
    case .comment: [.comment]
    case .disc: [.disc]
    case .label: [.publisher]
    case .name, .ensemble: []
    case .work, .movement, .movementNumber, .location, .musicBrainzArtist, .musicBrainzAlbum,
      .musicBrainzAlbumArtist, .musicBrainzTrack, .musicBrainzReleaseTrack, .musicBrainzWork:
      [Tags.Name(rawValue.lowercased())]
    }
  }

  /// The tag that stands in for this one where a song has none; nil for none (MPD's `ApplyTagFallback`).
  var fallback: SongTag? {
    switch self {
    case .albumArtistSort: .albumArtist
    case .albumArtist: .artist
    case .artistSort: .artist
    case .albumSort: .album
    case .composerSort: .composer
    default: nil
    }
  }
}
