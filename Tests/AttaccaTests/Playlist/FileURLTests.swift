// SPDX-License-Identifier: Apache-2.0

import AttaccaFoundation
import Foundation
import Testing

@Suite struct FileURLTests {
  @Test func `an item of a file URL has its path, percent signs decoded`() throws {
    let url = try #require(URL(string: "file:///music/50%25%20%C3%A9t%C3%A9.flac"))
    #expect(try PlaylistItem(url: url).path == "/music/50% été.flac")
    #expect(try PlaylistItem(url: URL(filePath: "/a b/c#1.mp3")).path == "/a b/c#1.mp3")
  }

  @Test func `an item of a file URL has all bytes of its path, whatever their encoding`() throws {
    let url = try #require(URL(string: "file:///music/caf%E9.flac"))
    let item = try PlaylistItem(url: url)
    let bytes = Array("/music/caf".utf8) + [0xE9] + Array(".flac".utf8)
    #expect(item.bytePath == BytePath(bytes: bytes))
    #expect(item.path == "/music/caf\\xE9.flac")
    let folder = URL(filePath: "/a/", directoryHint: .isDirectory)
    let relative = URL(filePath: "b.flac", relativeTo: folder)
    #expect(try PlaylistItem(url: relative).path == "/a/b.flac")
  }

  @Test func `a URL of something else is refused, and the error says what to do`() throws {
    let url = try #require(URL(string: "https://example.org/a.mp3"))
    let error = #expect(throws: FileURLError.notAFile(url)) { try PlaylistItem(url: url) }
    #expect(
      error?.description
        == "https://example.org/a.mp3 is not a file: download it, and give the file's URL")
  }
}
