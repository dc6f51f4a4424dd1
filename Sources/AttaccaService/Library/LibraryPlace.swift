// SPDX-License-Identifier: Apache-2.0

/// Place of a song in the order of the library.
struct LibraryPlace: Comparable {
  let id: Int64
  let place: Int64
  private let folder: [String]
  private let album: String
  private let disc: Int
  private let track: Int
  private let name: String

  init(id: Int64, uri: String, folder: String, values: [SongValue], place: Int64) {
    (self.id, self.place, name) = (id, place, uri)
    self.folder = folder.split(separator: "/").map(String.init)
    func text(_ tag: SongTag) -> String { values.first { $0.tag == tag }?.text ?? "" }
    album = text(.album)
    (disc, track) = (Self.number(text(.disc)), Self.number(text(.track)))
  }

  private static func number(_ text: String) -> Int {
    Int(text.prefix { $0.isASCII && $0.isNumber }) ?? 0
  }

  static func == (a: LibraryPlace, b: LibraryPlace) -> Bool { a.id == b.id }

  /// A folder's own songs come before those of the folders in it.
  static func < (a: LibraryPlace, b: LibraryPlace) -> Bool {
    if a.folder != b.folder { return a.folder.lexicographicallyPrecedes(b.folder) }
    return (a.album, a.disc, a.track, a.name) < (b.album, b.disc, b.track, b.name)
  }
}
