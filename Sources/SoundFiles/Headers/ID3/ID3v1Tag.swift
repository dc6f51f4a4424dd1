// SPDX-License-Identifier: Apache-2.0

extension Tags {
  /// ID3v1, the last 128 bytes of a file; nil where they are none.
  init?(id3v1 bytes: [UInt8]) {
    guard bytes.count == 128, bytes.text(at: 0, 3) == "TAG" else { return nil }
    self.init()
    for (name, field) in [
      (Name.title, 3..<33), (.artist, 33..<63), (.album, 63..<93), (.date, 93..<97),
      (.comment, 97..<127),
    ] {
      // Padded with zeros or blanks.
      let text = bytes[field].prefix { $0 != 0 }
      let end = text.lastIndex { $0 != UInt8(ascii: " ") }
      if let end { add(String(tagBytes: text[...end]), to: name) }
    }
    // ID3v1.1: a zero and a number at the end of the comment.
    if bytes[125] == 0, bytes[126] != 0 { add(String(bytes[126]), to: .track) }
    if ID3Genres.all.indices.contains(Int(bytes[127])) {
      add(ID3Genres.all[Int(bytes[127])], to: .genre)
    }
  }
}
