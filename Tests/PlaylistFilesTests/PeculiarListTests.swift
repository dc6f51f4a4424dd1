// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PlaylistFiles
import SoundFiles
import TestFixtures
import Testing

/// Lists with the peculiarities that suites of other players have files for, and what those expect of them.
@Suite struct PeculiarListTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func list(_ name: String, _ text: String) throws -> PlaylistFile {
    try PlaylistFile(path: try folder.file(name, Array(text.utf8)))
  }

  private func frames(_ time: MediaTime?) -> Int64? {
    time.map { RationalTime($0).frames(at: 75) }
  }

  private func names(_ list: PlaylistFile) -> [String] {
    list.entries.map { entry in
      entry.path.text.hasPrefix(folder.path)
        ? String(entry.path.text.dropFirst(folder.path.count + 1)) : entry.path.text
    }
  }

  private let albums = """
    FILE sounds/one.mp3 WAVE
    PERFORMER "First"
    TITLE "First album"
      TRACK 01 AUDIO
        TITLE "A"
        INDEX 01 00:01:00
      TRACK 02 AUDIO
        TITLE "B"
        INDEX 01 05:03:68
    FILE sounds/two.mp3
    PERFORMER "Second"
    TITLE "Second album"
    SONGWRITER Someone
      TRACK 01 AUDIO
        TITLE "C"
        PERFORMER "A guest"
        INDEX 01 00:00:12
      TRACK 02 AUDIO
        TITLE "D"
        INDEX 05 04:00:13
    """

  @Test func `what stands between FILE and TRACK is said of the tracks of that file`() throws {
    let list = try list("a.cue", albums)
    #expect(list.title == "First album")
    let entries = list.entries
    #expect(
      names(list) == ["sounds/one.mp3", "sounds/one.mp3", "sounds/two.mp3", "sounds/two.mp3"])
    #expect(entries.map(\.title) == ["A", "B", "C", "D"])
    #expect(
      entries.map(\.tags.album) == ["First album", "First album", "Second album", "Second album"])
    #expect(entries.map(\.tags.albumArtist) == ["First", "First", "Second", "Second"])
    #expect(entries.map(\.tags.artist) == ["First", "First", "A guest", "Second"])
    #expect(entries.map { $0.tags[.composer].first } == [nil, nil, "Someone", "Someone"])
    #expect(entries.map { frames($0.start) } == [75, 22_793, 12, 18_013])
    #expect(entries.map { frames($0.end) } == [22_793, nil, 18_013, nil])
  }

  @Test func `several albums are written as they were read`() throws {
    let read = try list("a.cue", albums)
    let path = BytePath("\(folder.path)/b.cue")
    try read.write(to: path)
    let again = try PlaylistFile(path: path)
    #expect(again.title == "First album")
    for (old, new) in zip(read.entries, again.entries) {
      #expect(old.path == new.path && old.title == new.title && old.start == new.start)
      #expect(old.tags.album == new.tags.album && old.tags.artist == new.tags.artist)
      #expect(old.tags.albumArtist == new.tags.albumArtist)
    }
    #expect(again.entries.count == 4)
  }

  @Test func `a track without an INDEX is none, and the one before goes on to the next`() throws {
    let list = try list(
      "a.cue",
      """
      PERFORMER Us
      FILE "one.mp3" WAVE
        TRACK 01 AUDIO
          TITLE "A"
          INDEX 01 00:01:15
        TRACK 02 AUDIO
          TITLE "nowhere"
        TRACK 03 AUDIO
          TITLE "C"
          INDEX 00 00:59:00
          INDEX 01 01:00:16
      FILE "two.mp3" WAVE
        TRACK 04 CDG
          INDEX 00 00:01:00
      FILE "three.mp3" WAVE
        TRACK 05 AUDIO
          INDEX 00 15:55:66
      """)
    #expect(names(list) == ["one.mp3", "one.mp3", "three.mp3"])
    #expect(list.entries.map { frames($0.start) } == [90, 4_516, 71_691])
    #expect(list.entries.map { frames($0.end) } == [4_516, nil, nil])
    #expect(list.entries.map(\.tags.trackNumber) == ["1", "3", "5"])
  }

  @Test func `a list of references is one of addresses`() throws {
    let list = try list(
      "a.asx",
      """
      [Reference]
      Ref1=http://192.0.2.1/radio?MSWMExt=.asf
      Ref2=http://192.0.2.1:80/radio?MSWMExt=.asf
      """)
    #expect(
      names(list)
        == ["http://192.0.2.1/radio?MSWMExt=.asf", "http://192.0.2.1:80/radio?MSWMExt=.asf"])
  }

  @Test func `an ASX may have entries in entries, and elements that it does not know`() throws {
    let list = try list(
      "a.asx",
      """
      <asx version = "3.0"><Title>Station</Title><MoreInfo href="http://host/" />
      <entry><entry><test><something>else</something></test>
       <PARAM name="HTMLView" value="http://host/list.html"/>
       <ref href = "mms://192.0.2.1/a?user=h&pass=x"/><Title>One</Title></entry>
       <entry><ref href="http://host:8080" /><copyright>© 2005</copyright></entry></entry></asx>
      """)
    #expect(names(list) == ["mms://192.0.2.1/a?user=h&pass=x", "http://host:8080"])
    #expect(list.entries.map(\.title) == ["One", nil])
  }

  @Test func `an XSPF without a namespace is one, and what is no number is none`() throws {
    let list = try list(
      "a.xspf",
      """
      <playlist><trackList>
      <track><location>http://host/a.mp3</location><duration>60000qwerty</duration>
       <image>http://host/cover.jpg</image><trackNum>42</trackNum></track>
      <track><title></title><location></location></track>
      <track><title>Don&#146;t</title><location>file:///C:/a%20%26%20b.mp3</location></track>
      </trackList></playlist>
      """)
    #expect(names(list) == ["http://host/a.mp3", "/C:/a & b.mp3"])
    #expect(list.entries[0].duration == nil)
    #expect(list.entries[0].tags.trackNumber == "42")
    #expect(list.entries[1].title == "Don\u{92}t")
  }

  @Test func `a PLS has names of any kind as they stand`() throws {
    let list = try list(
      "a.pls",
      """

      [playlist]

      File1=https://host:8279/
      Length1=-1

      File2=filename with spaces.mp3
      Length2=123

      File3=%UserProfile%\\Music\\short.ogg
      Title3=Foo, with, some = commas
      NumberOfEntries=4
      Version=2
      """)
    #expect(
      names(list)
        == ["https://host:8279/", "filename with spaces.mp3", "%UserProfile%\\Music\\short.ogg"])
    #expect(list.entries.map(\.title) == [nil, nil, "Foo, with, some = commas"])
  }

  @Test func `a cue sheet names files with a percent sign as they are`() throws {
    let path = BytePath("\(folder.path)/100%25 & more.flac")
    let sheet = BytePath("\(folder.path)/a.cue")
    try PlaylistFile([PlaylistFile.Entry(path: path)]).write(to: sheet)
    #expect(try PlaylistFile(path: sheet).entries.map(\.path) == [path])
    let text = String(decoding: try WholeFile.bytes(of: sheet, atMost: 1_000), as: UTF8.self)
    #expect(text.hasPrefix("FILE \"100%25 & more.flac\" WAVE\n"))
  }
}
