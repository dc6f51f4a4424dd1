// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlaylistFiles
import SoundFiles
import TestFixtures
import Testing

@Suite struct PlaylistFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func paths(_ text: String, name: String = "list.m3u") throws -> [String] {
    try entries(Array(text.utf8), name: name).map(\.path.text)
  }

  private func entries(_ bytes: [UInt8], name: String = "list.m3u") throws -> [PlaylistFile.Entry] {
    try PlaylistFile(path: try folder.file(name, bytes)).entries
  }

  @Test func `relative paths start at the playlist's folder, absolute ones do not`() throws {
    #expect(
      try paths("a.wav\nsub/b.wav\n/c.wav\n")
        == ["\(folder.path)/a.wav", "\(folder.path)/sub/b.wav", "/c.wav"])
  }

  @Test func `the mark at the start, returns and blanks behind a name are not part of it`() throws {
    let text = "\u{FEFF}#EXTM3U\r\n#EXTINF:6.4,One\r\na.wav \t\r\n\r\n  b.wav\r"
    #expect(
      try entries(Array(text.utf8)).map { "\($0.path) \($0.title ?? "-")" }
        == ["\(folder.path)/a.wav One", "\(folder.path)/  b.wav -"])
  }

  @Test(arguments: [
    ("#EXTINF:-1,Title", "Title"), ("#EXTINF:0,A, B", "A, B"), ("#EXTINF:6.4, T", "T"),
    ("#EXTINF:12 tvg-name=\"x,y\" group=\"z\",Real", "Real"), ("#EXTINF:5,", nil),
    ("#EXTGRP:none", nil),
  ])
  func `what EXTINF says is a hint for the title`(line: String, title: String?) throws {
    #expect(try entries(Array("\(line)\na.wav\nb.wav\n".utf8)).map(\.title) == [title, nil])
  }

  @Test func `percent signs are decoded where no file has the literal name`() throws {
    for name in ["a%20b.wav", "c d.wav", "100%.wav", "50%25.wav"] {
      _ = try folder.file(name, [0])
    }
    #expect(
      try paths("a%20b.wav\nc%20d.wav\n100%.wav\n50%25.wav\nno%20where.wav\n")
        == ["a%20b.wav", "c d.wav", "100%.wav", "50%25.wav", "no%20where.wav"].map {
          "\(folder.path)/\($0)"
        })
  }

  @Test func `addresses of files are decoded once, others stay`() throws {
    #expect(
      try paths("file:///a%2520b.wav\nfile://host/gr%C3%BCn.wav\nhttp://x/y%20z.mp3\n")
        == ["/a%20b.wav", "/grün.wav", "http://x/y%20z.mp3"])
  }

  @Test func `backslashes are slashes where that names a file`() throws {
    _ = try folder.file("sub/a.wav", [0])
    #expect(
      try paths("sub\\a.wav\nno\\where.wav\n")
        == ["\(folder.path)/sub/a.wav", "\(folder.path)/no\\where.wav"])
  }

  @Test func `text that is not UTF-8 is Windows-1252`() throws {
    let bytes = Array("gr".utf8) + [0xFC] + Array("n ".utf8) + [0x80] + Array(".wav\n".utf8)
    #expect(try entries(bytes).map(\.path.text) == ["\(folder.path)/grün €.wav"])
  }

  /// The code is found in pieces of 64 KB, which end at lines.
  @Test(arguments: [65_530, 65_536, 70_000, 200_000])
  func `a long text is UTF-8 to its last line, or none of it is`(length: Int) throws {
    let line = "é\u{20AC}\u{1F3B5}.wav"
    let first = Array((String(repeating: "a", count: length) + line + "\n" + line + "\n").utf8)
    #expect(try entries(first).last?.path.text == "\(folder.path)/\(line)")
    let other = first + [0xFC] + Array(".wav\n".utf8)
    let names = try entries(other).map(\.path.text)
    #expect(names.last == "\(folder.path)/ü.wav")
    #expect(names[1] == "\(folder.path)/Ã©â‚¬ðŸŽµ.wav")
  }

  @Test(arguments: ["#EXT-X-TARGETDURATION:10", "#EXT-X-MEDIA-SEQUENCE:0"])
  func `HLS is refused`(line: String) throws {
    let error = #expect(throws: SoundFileError.self) {
      try paths("#EXTM3U\n\(line)\n#EXTINF:9.9,\nseg0.ts\n", name: "a.m3u8")
    }
    #expect(error?.kind == .unsupported)
    #expect(error?.cause == "an HLS stream, not a playlist")
  }

  @Test func `the album's playlist names its files, in order`() throws {
    let list = try PlaylistFile(path: Fixtures.path("album/album.m3u8"))
    #expect(list.entries.count == 15)
    #expect(list.entries.allSatisfy { FileManager.default.fileExists(atPath: $0.path.text) })
    #expect(list.entries[1].title == "The Attacca Fixtures - Déjà entendu")
  }

  @Test func `a folder lists its sound files as people count, then its folders'`() throws {
    for name in [
      "10 z.flac", "2 b.MP3", "1.wav", "cover.jpg", ".hidden.wav", "B/02.ogg", "a/1.opus",
      "A10.wav", "a9.wav", "a09.wav", "2 b.m3u",
    ] {
      _ = try folder.file(name, [0])
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/a/up", withDestinationPath: folder.path)
    let listing = try FolderListing(path: folder.path)
    #expect(
      listing.paths.map { String($0.text.dropFirst(folder.path.count + 1)) }
        == [
          "1.wav", "2 b.MP3", "10 z.flac", "a09.wav", "a9.wav", "A10.wav", "a/1.opus", "B/02.ogg",
        ])
  }

  @Test func `a folder that is not there is an error`() {
    let error = #expect(throws: SoundFileError.self) {
      try FolderListing(path: "\(folder.path)/none")
    }
    #expect(error?.kind == .missing)
  }
}
