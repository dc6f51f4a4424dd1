// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlaylistFiles
import SoundFiles
import TestFixtures
import Testing

@Suite struct NamedFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func list(_ name: String, _ lines: [String]) throws {
    _ = try folder.file(name, Array(lines.joined(separator: "\n").utf8))
  }

  @Test func `lists that multiply end at a bound, and say so`() throws {
    // Each names the next one ten times: a million in all.
    for i in 0..<6 { try list("\(i).m3u", Array(repeating: "\(i + 1).m3u", count: 10)) }
    try list("6.m3u", ["song.flac"])
    let named = NamedFiles(BytePath("\(folder.path)/0.m3u"))
    #expect((8_000...NamedFiles.mostLists).contains(named.paths.count))
    #expect((1...60).contains(named.failures.count))
    #expect(named.failures.allSatisfy { $0.cause == "more than 10000 lists" })
  }

  @Test func `lists inside each other end at a depth, and say so`() throws {
    for i in 0..<40 { try list("\(i).m3u", ["\(i).flac", "\(i + 1).m3u"]) }
    let named = NamedFiles(BytePath("\(folder.path)/0.m3u"))
    #expect(named.paths.map(\.name.text) == (0..<NamedFiles.deepestList).map { "\($0).flac" })
    #expect(named.failures.map(\.cause) == ["more than 16 lists inside each other"])
  }

  @Test func `a list that is named twice is played twice`() throws {
    try list("inner.m3u", ["a.flac"])
    try list("outer.m3u", ["inner.m3u", "b.flac", "inner.m3u"])
    let named = NamedFiles(BytePath("\(folder.path)/outer.m3u"))
    #expect(named.paths.map(\.name.text) == ["a.flac", "b.flac", "a.flac"])
    #expect(named.failures.isEmpty)
  }

  @Test func `links that lead nowhere but to themselves are named, and the rest is listed`() throws
  {
    _ = try folder.file("sub/a.flac", [0])
    let loop = "\(folder.path)/sub/loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop")
    let named = NamedFiles(BytePath(folder.path))
    #expect(named.paths.map(\.text) == ["\(folder.path)/sub/a.flac"])
    #expect(named.failures.map(\.path) == [loop])
    #expect(named.failures.map(\.code) == [ELOOP])
  }
}
