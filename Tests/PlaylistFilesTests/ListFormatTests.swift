// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PlaylistFiles
import SoundFiles
import TestFixtures
import Testing

@Suite struct ListFormatTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func list(_ name: String, _ text: String) throws -> PlaylistFile {
    try PlaylistFile(path: try folder.file(name, Array(text.utf8)))
  }

  private func names(_ list: PlaylistFile) -> [String] {
    list.entries.map { entry in
      entry.path.text.hasPrefix(folder.path)
        ? String(entry.path.text.dropFirst(folder.path.count + 1)) : entry.path.text
    }
  }

  @Test func `remarks of an M3U are its entries' lengths, albums and parts`() throws {
    let list = try list(
      "a.m3u8",
      """
      #EXTM3U\r
      #PLAYLIST:Mine\r
      #EXTALB:One\r
      #EXTART:Them\r
      #EXTINF:6.25,A\r
      a.flac\r
      #EXTALB:\r
      #EXTINF:-1,B\r
      #EXTVLCOPT:start-time=1.5\r
      #EXTVLCOPT:stop-time=2\r
      b.flac\r
      """)
    #expect(list.title == "Mine")
    #expect(names(list) == ["a.flac", "b.flac"])
    #expect(list.entries.map(\.duration) == [MediaTime(value: 25, timescale: 4), nil])
    #expect(list.entries.map(\.tags.album) == ["One", nil])
    #expect(list.entries.map(\.tags.albumArtist) == ["Them", "Them"])
    #expect(list.entries[1].start == MediaTime(value: 3, timescale: 2))
    #expect(list.entries[1].end == MediaTime(value: 2, timescale: 1))
  }

  @Test func `a PLS is in the order of its numbers, whatever that of its lines`() throws {
    let list = try list(
      "a.pls",
      """
      [Playlist]
      Title2 = Second
      File10=c.mp3
      File2=http://host/b.mp3
      Length2=-1
      File1= a b.mp3
      Length1=90
      NumberOfEntries=17
      """)
    #expect(names(list) == ["a b.mp3", "http://host/b.mp3", "c.mp3"])
    #expect(list.entries.map(\.title) == [nil, "Second", nil])
    #expect(list.entries.map(\.duration) == [MediaTime(value: 90, timescale: 1), nil, nil])
  }

  @Test func `an XSPF has its addresses decoded once, from their bases on`() throws {
    let list = try list(
      "a.xspf",
      """
      <?xml version="1.0"?>
      <!-- <track><location>no.flac</location></track> -->
      <x:playlist version="1" xmlns:x="http://xspf.org/ns/0/" xml:base="music/">
       <x:title>All &amp; more</x:title>
       <x:trackList>
        <x:track><x:location>a%2520b.flac</x:location><x:location>c.flac</x:location>
         <x:title><![CDATA[<A>]]></x:title><x:creator>C</x:creator><x:trackNum>3</x:trackNum>
         <x:duration>1500</x:duration></x:track>
        <x:track><x:title>nothing to play</x:title></x:track>
        <x:track xml:base="http://host/dir/list.xspf"><x:location>d%20e.mp3</x:location></x:track>
        <x:track><x:location>file:///f%20g.flac</x:location></x:track>
       </x:trackList>
      </x:playlist>
      """)
    #expect(list.title == "All & more")
    #expect(
      names(list) == ["music/a%20b.flac", "http://host/dir/d%20e.mp3", "/f g.flac"])
    #expect(list.entries[0].title == "<A>")
    #expect(list.entries[0].tags.artist == "C")
    #expect(list.entries[0].tags.trackNumber == "3")
    #expect(list.entries[0].duration == MediaTime(value: 3, timescale: 2))
  }

  @Test func `an XSPF that is no XML is broken, and told with its line`() throws {
    let error = #expect(throws: SoundFileError.self) {
      try list("a.xspf", "<playlist>\n<trackList>\n</playlist>")
    }
    #expect(error?.kind == .broken)
    #expect(error?.cause.hasPrefix("line 3: ") == true)
  }

  @Test func `an XSPF of entities in entities is refused`() throws {
    var text = "<!DOCTYPE p [<!ENTITY a \"\(String(repeating: "x", count: 1_000))\">"
    for i in 0..<10 {
      let (name, inner) = ("a\(i)", i == 0 ? "a" : "a\(i - 1)")
      text += "<!ENTITY \(name) \"\(String(repeating: "&\(inner);", count: 10))\">"
    }
    text += "]><playlist><title>&a9;</title></playlist>"
    #expect(throws: SoundFileError.self) { try list("a.xspf", text) }
  }

  @Test func `an ASX is read as it is written: in any case, with bare ampersands`() throws {
    let list = try list(
      "a.asx",
      """
      <ASX Version="3.0"><Title>T &#228; U</Title>
      <!-- <Entry><Ref href="no.wma"/></Entry> -->
      <ENTRY><REF HREF = "http://host/a?b=1&c=2" /><REF HREF="other"/>
       <Title>One &amp; only</Title><Author>Me</Author><Duration value="0:01:02.5"/></ENTRY>
      <Entry><StartTime Value="00:00:10"/><Duration Value="5"/><Ref href='b.wma'></Entry>
      <EntryRef href="more.asx"/></ASX>
      """)
    #expect(list.title == "T ä U")
    #expect(names(list) == ["http://host/a?b=1&c=2", "b.wma", "more.asx"])
    #expect(list.entries[0].title == "One & only")
    #expect(list.entries[0].tags.artist == "Me")
    #expect(list.entries[0].duration == MediaTime(value: 125, timescale: 2))
    #expect(list.entries[1].start == MediaTime(value: 10, timescale: 1))
    #expect(list.entries[1].end == MediaTime(value: 15, timescale: 1))
  }

  @Test func `an ASX in Windows' code names files and titles in it`() throws {
    let text = "<asx><entry><ref href='Caf\u{E9}.wma'/><title>Caf\u{E9}</title></entry></asx>"
    let path = try folder.file("a.asx", text.unicodeScalars.map { UInt8($0.value) })
    let list = try PlaylistFile(path: path)
    #expect(names(list) == ["Café.wma"])
    #expect(list.entries[0].title == "Café")
  }

  @Test func `an ASX is read to its end whatever is left open`() throws {
    for text in [
      "<asx><entry><ref href=\"a.wma\"/><!-- ", "<asx><entry><ref href=\"a.wma\"/><!",
      "<asx><entry><ref href=\"a.wma\"/><title", "<asx><entry><ref href=\"a.wma\"/></entry",
      "<asx><entry><ref href=a.wma><duration value=", "<asx><entry><ref href=\"a.wma",
    ] {
      #expect(names(try list("a.asx", text)) == ["a.wma"], "\(text)")
    }
  }

  @Test func `an XSPF's addresses of files are decoded once, whatever is in them`() throws {
    let list = try list(
      "a.xspf",
      """
      <playlist xmlns="http://xspf.org/ns/0/"><trackList>
      <track><location>file:///a%20b%2520%zz%C3%A9.flac</location></track>
      <track><location>
        file:///c%20d.flac
      </location></track>
      <track><location>file:///Caf\u{E9}%20.flac</location></track>
      <track><location>FILE:///e.flac</location></track>
      <track><location>file://localhost/f.flac</location></track>
      <track><location>file:///g%FF.flac</location><title>of <b>no</b> code</title></track>
      </trackList></playlist>
      """)
    #expect(
      names(list) == [
        "/a b%20%zzé.flac", "/c d.flac", "/Café .flac", "/e.flac", "/f.flac", "/g\\xFF.flac",
      ])
  }

  @Test func `a list with another's name is read as what it is`() throws {
    #expect(try list("a.m3u", "[playlist]\nFile1=a.mp3\n").format == .pls)
    #expect(try list("b.pls", "<playlist/>").format == .xspf)
  }

  @Test func `folders are in the order of discs and tracks in their names`() throws {
    for name in ["CD 10/1.flac", "CD 2/2-1.flac", "CD 2/1-10.flac", "CD 2/1-2.flac"] {
      _ = try folder.file(name, [0])
    }
    let entries = NamedFiles(BytePath(folder.path)).entries
    #expect(
      names(PlaylistFile(entries))
        == ["CD 2/1-2.flac", "CD 2/1-10.flac", "CD 2/2-1.flac", "CD 10/1.flac"])
  }
}
