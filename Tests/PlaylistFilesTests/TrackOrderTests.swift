// SPDX-License-Identifier: Apache-2.0

@testable import PlaylistFiles
import SoundFiles
import Testing

@Suite struct TrackOrderTests {
  private func tags(_ album: String?, _ track: String?, disc: String? = nil) -> Tags {
    var tags = Tags()
    (tags.album, tags.trackNumber, tags.discNumber) = (album, track, disc)
    return tags
  }

  /// The order of files with tags, and the files whose tags were read.
  private func order(_ files: [(String, Tags?)]) -> (order: [String], read: [String]) {
    let known = Dictionary(uniqueKeysWithValues: files.map { (BytePath($0.0), $0.1) })
    var read: [String] = []
    let order = TrackOrder.ordered(files.map { BytePath($0.0) }) { path in
      read.append(path.text)
      return known[path] ?? nil
    }
    return (order.map(\.text), read)
  }

  @Test func `an album is in the order of its discs and tracks, whatever its files are called`() {
    let found = order([
      ("a/Adagio.flac", tags("x", "2/3", disc: "2")), ("a/Finale.flac", tags("x", "10")),
      ("a/Presto.flac", tags("x", "9/12", disc: "1")), ("a/Rondo.flac", tags("x", "01", disc: "2")),
    ])
    #expect(found.order == ["a/Presto.flac", "a/Finale.flac", "a/Rondo.flac", "a/Adagio.flac"])
  }

  @Test(arguments: [
    ["a/01 Z.flac", "a/02 A.flac", "a/11 B.flac"],
    ["a/Part 1.mp3", "a/Part 2.mp3", "a/Part 10.mp3"],
    ["a/book-098.ogg", "a/book-099.ogg", "a/book-100.ogg"],
  ])
  func `no tag is read of files that their names number`(names: [String]) {
    let found = order(names.map { ($0, tags("x", "7")) })
    #expect(found.order == names)
    #expect(found.read.isEmpty)
  }

  @Test func `a folder stays in the order of its names behind the first file without a number`() {
    let found = order([
      ("a/A.flac", tags("x", "3")), ("a/B.flac", tags("x", nil)), ("a/C.flac", tags("x", "1")),
    ])
    #expect(found.order == ["a/A.flac", "a/B.flac", "a/C.flac"])
    #expect(found.read == ["a/A.flac", "a/B.flac"])
  }

  @Test func `files of several albums stay in the order of their names`() {
    let found = order([("a/A.flac", tags("x", "2")), ("a/B.flac", tags("y", "1"))])
    #expect(found.order == ["a/A.flac", "a/B.flac"])
  }

  @Test func `each folder has an order of its own`() {
    let found = order([
      ("a/A.flac", tags("x", "2")), ("a/B.flac", tags("x", "1")), ("a/b/C.flac", tags("x", "2")),
      ("a/b/D.flac", tags("x", "1")), ("c/E.flac", nil),
    ])
    #expect(found.order == ["a/B.flac", "a/A.flac", "a/b/D.flac", "a/b/C.flac", "c/E.flac"])
  }
}
