// SPDX-License-Identifier: Apache-2.0

/// Names of the items of an MP4 file's list.
enum MPEG4Names {
  private static let names: [String: Tags.Name] = [
    "\u{A9}nam": .title, "\u{A9}ART": .artist, "\u{A9}alb": .album, "aART": .albumArtist,
    "\u{A9}wrt": .composer, "\u{A9}gen": .genre, "\u{A9}day": .date, "\u{A9}cmt": .comment,
    "desc": .comment, "ldes": .comment, "\u{A9}lyr": .lyrics, "\u{A9}grp": .grouping,
    "\u{A9}too": .encoder, "\u{A9}enc": .encoder, "cprt": .copyright, "sonm": .titleSort,
    "soar": .artistSort, "soal": .albumSort, "soaa": .albumArtistSort, "soco": .composerSort,
    "\u{A9}con": .conductor, "\u{A9}nrt": .performer, "\u{A9}pub": .publisher,
    "\u{A9}st3": .subtitle,
  ]

  /// Adds the value of an item; `kind` is that of its bytes: 1 for UTF-8, 2 for UTF-16, 21 for an integer.
  static func add(_ name: String, _ kind: Int, _ bytes: [UInt8], to tags: inout Tags) {
    func number(_ offset: Int) -> Int { Int(bytes.big(at: offset, 2)) }
    switch name {
    case "trkn", "disk":
      let isTrack = name == "trkn"
      let (place, count) = (number(2), number(4))
      if place > 0 {
        tags.add(count > 0 ? "\(place)/\(count)" : "\(place)", to: isTrack ? .track : .disc)
      } else if count > 0 {
        tags.add("\(count)", to: isTrack ? .trackTotal : .discTotal)
      }
    case "gnre":
      // The list of ID3v1, from 1 on.
      if ID3Genres.all.indices.contains(number(0) - 1) {
        tags.add(ID3Genres.all[number(0) - 1], to: .genre)
      }
    case "tmpo": if number(0) > 0 { tags.add("\(number(0))", to: .beatsPerMinute) }
    case "cpil": if bytes.last == 1 { tags.add("1", to: .compilation) }
    case _ where name.hasPrefix("----"):
      // iTunes keeps numbers for itself.
      let own = String(name.dropFirst(4))
      if !own.hasPrefix("iTun"), kind <= 2 { tags.add(text(kind, bytes), to: Tags.Name(own)) }
    default:
      if let known = names[name], kind <= 2 { tags.add(text(kind, bytes), to: known) }
    }
  }

  private static func text(_ kind: Int, _ bytes: [UInt8]) -> String {
    kind == 2 ? ID3Text.first(of: bytes[...], 2).text : String(tagBytes: bytes)
  }
}
