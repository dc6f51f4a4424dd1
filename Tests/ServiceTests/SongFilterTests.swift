// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AttaccaService

struct SongFilterTests {
  private let song = Song(
    uri: "Miles/Kind of Blue/01 So What.flac",
    values: [
      SongValue(tag: .artist, text: "Miles Davis"), SongValue(tag: .album, text: "Kind of Blue"),
      SongValue(tag: .title, text: "So What"), SongValue(tag: .genre, text: "Jazz"),
      SongValue(tag: .genre, text: "Modal"),
    ], nanoseconds: 545_000_000_000, modified: 1_000, format: "44100:16:2")

  private func matches(_ expression: String, foldsCase: Bool = false) throws -> Bool {
    try SongFilter([expression], foldsCase: foldsCase).matches(song)
  }

  @Test(arguments: [
    (#"(Artist == "Miles Davis")"#, true), ("(artist == 'miles davis')", false),
    ("(Artist != 'X')", true), ("(AlbumArtist == 'Miles Davis')", true),
    ("(Genre == 'Modal')", true), ("(Genre != 'Modal')", false),
    ("(any == 'So What')", true), ("(Title contains 'Wha')", true),
    ("(Title contains 'wha')", false), ("(Composer == '')", true), ("(Genre == '')", false),
    ("(Composer != '')", false), ("(file == 'Miles/Kind of Blue/01 So What.flac')", true),
    ("(base 'Miles')", true), ("(base 'Mil')", false), ("(modified-since '1000')", true),
    ("(modified-since '2001-01-01')", false), ("(AudioFormat == '44100:16:2')", true),
    ("(AudioFormat =~ '*:16:*')", true), ("(AudioFormat =~ '48000:*:*')", false),
    ("(Title =~ '^So')", true), ("(Title =~ '^Wh')", false), ("(Title !~ 'o W')", false),
    ("(!(Artist == 'X'))", true), ("((Genre == 'Jazz') AND (Genre == 'Modal'))", true),
    ("((Genre == 'Jazz') AND (!(Title contains 'So')))", false),
    (#"(Title == "So \"What")"#, false),
  ])
  func `an expression finds what it says`(expression: String, isFound: Bool) throws {
    #expect(try matches(expression) == isFound)
  }

  @Test func `a search takes letters of either case`() throws {
    #expect(try matches("(Artist == 'miles davis')", foldsCase: true))
    #expect(try matches("(Artist contains 'DAVIS')", foldsCase: true))
    #expect(try SongFilter(["artist", "dav", "any", "WHAT"], foldsCase: true).matches(song))
    #expect(try !SongFilter(["artist", "Davis"], foldsCase: false).matches(song))
  }

  @Test(arguments: [
    ("(Artist == 'a'", "')' expected"), ("(Foo == 'a')", "Unknown filter type: Foo"),
    ("(Artist == a)", "Quoted string expected"), ("(Artist == 'a", "Closing quote not found"),
    ("(Artist == 'a') x", "Unparsed garbage after expression"),
    ("()", "Word expected"), ("((Artist == 'a') OR (Artist == 'b'))", "'AND' expected"),
    ("(Title =~ '(')", "not a regular expression: ("),
  ])
  func `what is no expression is refused in words`(expression: String, words: String) {
    #expect(throws: CommandError(.argument, words)) { try matches(expression) }
  }

  @Test func `expressions within each other end somewhere`() {
    let text = String(repeating: "(!", count: 10_000) + "(Artist == 'a')"
    #expect(throws: CommandError.self) { try matches(text) }
  }

  @Test func `a query has an order and a window`() throws {
    let songs = ["b", "A", "c"].map {
      Song(uri: $0, values: [SongValue(tag: .title, text: $0)])
    }
    func uris(_ arguments: [String]) throws -> [String] {
      try SongQuery(CommandArguments(arguments), foldsCase: false).arranged(songs).map(\.uri)
    }
    #expect(try uris(["title", "x", "sort", "Title"]) == ["A", "b", "c"])
    #expect(try uris(["title", "x", "sort", "-Title", "window", "1:3"]) == ["b", "A"])
    #expect(try uris(["title", "x", "window", "2:"]) == ["c"])
  }
}
