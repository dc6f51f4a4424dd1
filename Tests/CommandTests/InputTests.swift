// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What folders and lists are played as.
struct InputTests {
  private let folder: TemporaryFolder
  private static let song = "fixtures/cut/05.flac"

  init() throws { folder = try TemporaryFolder() }

  /// Copies the song to a place in the folder.
  private func song(_ name: String) throws -> String {
    let place = folder.file(name)
    try FileManager.default.createDirectory(
      atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: Attacca.folder.appending(path: Self.song).path, toPath: place)
    return place
  }

  private func list(_ name: String, _ lines: String...) throws -> String {
    try lines.joined(separator: "\n").write(
      toFile: folder.file(name), atomically: true, encoding: .utf8)
    return folder.file(name)
  }

  @Test func `a folder that may not be read is named, and the others are played`() throws {
    let songs = try [song("a/1.flac"), song("z/2.flac")]
    let hidden = folder.file("lost+found")
    try FileManager.default.createDirectory(atPath: hidden, withIntermediateDirectories: true)
    chmod(hidden, 0)
    defer { chmod(hidden, 0o700) }
    // For the superuser there is no such folder; "nobody" may neither.
    let other = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups " : ""
    let run = try Attacca(
      script: "\(other)\"$attacca\" play --output null '\(folder.path)'")
    #expect(run.output == "1 of 2: \(songs[0])\n2 of 2: \(songs[1])\n")
    #expect(run.errors == "\(hidden): cannot be read: Permission denied\n")
    #expect(run.status == 3)
  }

  @Test func `a folder's files of other kinds of sound are counted`() throws {
    let path = try song("1.flac")
    for name in ["2.m4p", "3.MID", "sub/4.m4p", "cover.jpg", "notes.txt", ".5.m4a"] {
      try FileManager.default.createDirectory(
        atPath: folder.file("sub"), withIntermediateDirectories: true)
      try Data([0]).write(to: URL(fileURLWithPath: folder.file(name)))
    }
    let run = try Attacca("play", "--output", "null", folder.path)
    #expect(run.output == "1 of 1: \(path)\n")
    #expect(
      run.errors == "attacca: left out: 3 files of kinds that are not played (.m4p, .mid)\n")
    #expect(run.status == 0)
  }

  @Test func `lists in lists, and folders in them, are played in their place`() throws {
    let songs = try ["1.flac", "album/2.flac", "3.flac", "4.flac"].map(song)
    _ = try list("inner.m3u8", "album", "3.flac")
    let outer = try list("outer.m3u", "1.flac", "inner.m3u8", "4.flac")
    let run = try Attacca("play", "--output", "null", outer)
    #expect(
      run.output == songs.enumerated().map { "\($0 + 1) of 4: \($1)\n" }.joined())
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
  }

  @Test func `a list that names itself, by whatever name, is played once and named`() throws {
    let path = try song("1.flac")
    let a = try list("a.m3u", "1.flac", "b.m3u")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("again.m3u"), withDestinationPath: "a.m3u")
    _ = try list("b.m3u", "again.m3u")
    let run = try Attacca("play", "--output", "null", a)
    #expect(run.output == "1 of 1: \(path)\n")
    #expect(run.errors.hasPrefix("\(folder.file("again.m3u")): not supported: a list that names"))
    #expect(run.status == 3)
  }

  @Test func `a list that is missing in another one is named, and the rest is played`() throws {
    let path = try song("1.flac")
    let outer = try list("outer.m3u", "none.m3u", "1.flac")
    let run = try Attacca("play", "--output", "null", outer)
    #expect(run.output == "1 of 1: \(path)\n")
    #expect(run.errors.hasPrefix("\(folder.file("none.m3u")): not there: "))
    #expect(run.status == 3)
  }
}
