// SPDX-License-Identifier: Apache-2.0

extension Tags {
  /// The subject of a tag, whatever the format calls it: `"TPE2"`, `"ALBUMARTIST"` and `"aART"` are all
  /// `.albumArtist`.
  ///
  /// What is not known here has the file's own name, in lower case.
  public struct Name: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name for people, as in "album artist".
    public let rawValue: String

    /// The name that a spelling stands for, as Vorbis comments, APE tags, iTunes and libav have them; case, blanks,
    /// hyphens and underscores do not matter.
    public init(_ spelling: String) {
      let lower = spelling.lowercased()
      let plain = lower.filter { $0 != " " && $0 != "_" && $0 != "-" }
      self = Self.spellings[plain] ?? Name(known: lower)
    }

    /// The name that a spelling stands for.
    public init(stringLiteral value: String) { self.init(value) }

    private init(known name: String) { rawValue = name }

    /// The name for people.
    public var description: String { rawValue }

    /// The name of the piece.
    public static let title = Name(known: "title")
    /// A subtitle, which adds to the title.
    public static let subtitle = Name(known: "subtitle")
    /// The performer of the piece.
    public static let artist = Name(known: "artist")
    /// The collection it is from.
    public static let album = Name(known: "album")
    /// The artist that the collection is filed under.
    public static let albumArtist = Name(known: "album artist")
    /// The composer.
    public static let composer = Name(known: "composer")
    /// The writer of the words.
    public static let lyricist = Name(known: "lyricist")
    /// The conductor.
    public static let conductor = Name(known: "conductor")
    /// A performer and the instrument, or a reader.
    public static let performer = Name(known: "performer")
    /// Its place in the collection.
    public static let track = Name(known: "track")
    /// The number of tracks of the collection, where that is not with the place.
    public static let trackTotal = Name(known: "track total")
    /// The disc of the collection.
    public static let disc = Name(known: "disc")
    /// The number of discs, where that is not with the disc.
    public static let discTotal = Name(known: "disc total")
    /// The kind of music.
    public static let genre = Name(known: "genre")
    /// The date on which the piece was made, as written.
    public static let date = Name(known: "date")
    /// The date on which the piece was first published, as written.
    public static let originalDate = Name(known: "original date")
    /// Anything else.
    public static let comment = Name(known: "comment")
    /// The words.
    public static let lyrics = Name(known: "lyrics")
    /// The title as it is sorted.
    public static let titleSort = Name(known: "title sort")
    /// The artist as it is sorted.
    public static let artistSort = Name(known: "artist sort")
    /// The album as it is sorted.
    public static let albumSort = Name(known: "album sort")
    /// The album's artist as it is sorted.
    public static let albumArtistSort = Name(known: "album artist sort")
    /// The composer as it is sorted.
    public static let composerSort = Name(known: "composer sort")
    /// The group of pieces that belong together in the collection.
    public static let grouping = Name(known: "grouping")
    /// Beats a minute.
    public static let beatsPerMinute = Name(known: "bpm")
    /// The language of the words.
    public static let language = Name(known: "language")
    /// Whose label it is.
    public static let publisher = Name(known: "publisher")
    /// Whose rights they are.
    public static let copyright = Name(known: "copyright")
    /// The international number of the recording.
    public static let isrc = Name(known: "isrc")
    /// A mark of a collection of several artists: "1".
    public static let compilation = Name(known: "compilation")
    /// The program that made the file.
    public static let encoder = Name(known: "encoder")

    fileprivate static let order: [Name] = [
      .title, .subtitle, .artist, .album, .albumArtist, .composer, .lyricist, .conductor,
      .performer, .track, .trackTotal, .disc, .discTotal, .genre, .date, .originalDate, .comment,
      .lyrics, .titleSort, .artistSort, .albumSort, .albumArtistSort, .composerSort, .grouping,
      .beatsPerMinute, .language, .publisher, .copyright, .isrc, .compilation, .encoder,
    ]
    fileprivate static let ranks = Dictionary(
      uniqueKeysWithValues: order.enumerated().map { ($1, $0) })

    /// By the names without case, blanks, hyphens and underscores.
    private static let spellings: [String: Name] = {
      let more: [(Name, String)] = [
        (.title, "name"), (.albumArtist, "ensemble"), (.composer, "writer"), (.lyricist, "author"),
        (.performer, "narrator"), (.performer, "narratedby"), (.track, "tracknumber"),
        (.track, "tracknum"), (.trackTotal, "totaltracks"), (.trackTotal, "trackcount"),
        (.disc, "discnumber"), (.disc, "disk"), (.disc, "disknumber"), (.discTotal, "totaldiscs"),
        (.discTotal, "disccount"), (.date, "year"), (.originalDate, "originalyear"),
        (.originalDate, "originalreleasedate"), (.comment, "comments"), (.comment, "description"),
        (.lyrics, "unsyncedlyrics"), (.lyrics, "unsynchronizedlyrics"),
        (.lyrics, "unsynchronisedlyrics"), (.titleSort, "titlesortorder"),
        (.titleSort, "sorttitle"), (.titleSort, "sortname"), (.artistSort, "artistsortorder"),
        (.artistSort, "sortartist"), (.albumSort, "albumsortorder"), (.albumSort, "sortalbum"),
        (.albumArtistSort, "albumartistsortorder"), (.albumArtistSort, "sortalbumartist"),
        (.composerSort, "composersortorder"), (.composerSort, "sortcomposer"),
        (.grouping, "contentgroup"), (.beatsPerMinute, "tempo"), (.publisher, "label"),
        (.publisher, "organization"), (.encoder, "encodersettings"), (.encoder, "encodedby"),
      ]
      var all: [String: Name] = [:]
      for name in order { all[name.rawValue.filter { $0 != " " }] = name }
      for (name, spelling) in more { all[spelling] = name }
      return all
    }()
  }
}

extension Tags.Name: Comparable {
  /// Names known here come first, in a fixed order, then others by the alphabet.
  public static func < (a: Tags.Name, b: Tags.Name) -> Bool {
    switch (ranks[a], ranks[b]) {
    case (let first?, let second?): first < second
    case (nil, nil): a.rawValue < b.rawValue
    case (let first, _): first != nil
    }
  }
}
