// SPDX-License-Identifier: Apache-2.0

extension Reply {
  /// What the protocol tells of a song, its tags among `tags`.
  mutating func song(_ song: Song, tags: Set<SongTag>) {
    pair("file", song.uri)
    if let range = song.range {
      let end = range.end.map { Decimal.text(Double($0) / 1e9, places: 3) } ?? ""
      pair("Range", "\(Decimal.text(Double(range.start) / 1e9, places: 3))-\(end)")
    }
    if let modified = song.modified { moment("Last-Modified", modified) }
    if let format = song.format { pair("Format", format) }
    for value in song.values where tags.contains(value.tag) { pair(value.tag.rawValue, value.text) }
    if let nanoseconds = song.playedNanoseconds {
      length(milliseconds: nanoseconds / 1_000_000)
    }
  }
}
