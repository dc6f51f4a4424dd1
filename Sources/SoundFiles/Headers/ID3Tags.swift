// SPDX-License-Identifier: Apache-2.0

import CMPG123

extension Tags {
  /// ID3v2 and, for what that leaves open, ID3v1, as libmpg123 has read them.
  init(mpg123 handle: OpaquePointer) {
    self.init()
    var v1: UnsafeMutablePointer<mpg123_id3v1>?
    var v2: UnsafeMutablePointer<mpg123_id3v2>?
    guard mpg123_id3(handle, &v1, &v2) == MPG123_OK.rawValue else { return }
    if let v2 { read(v2.pointee) }
    if let v1 { read(v1) }
  }

  private mutating func read(_ tag: mpg123_id3v2) {
    var texts: [String: String] = [:]
    for i in 0..<tag.texts {
      let entry = tag.text[i]
      let id = withUnsafeBytes(of: entry.id) { String(tagBytes: $0) }
      guard texts[id] == nil, let text = Self.text(entry.text) else { continue }
      texts[id] = text
    }
    title = texts["TIT2"]
    artist = texts["TPE1"]
    album = texts["TALB"]
    albumArtist = texts["TPE2"]
    composer = texts["TCOM"]
    trackNumber = texts["TRCK"]
    discNumber = texts["TPOS"]
    genre = texts["TCON"].map(Self.genreName)
    date = texts["TDRC"] ?? texts["TYER"]
    comment = tag.comment.flatMap { Self.text($0.pointee) }
  }

  private mutating func read(_ tag: UnsafeMutablePointer<mpg123_id3v1>) {
    title = title ?? Self.field(tag.pointee.title)
    artist = artist ?? Self.field(tag.pointee.artist)
    album = album ?? Self.field(tag.pointee.album)
    date = date ?? Self.field(tag.pointee.year)
    let note = tag.pointee.comment
    comment = comment ?? Self.field(note)
    // ID3v1.1: a zero and a number at the end of the comment.
    let (zero, track) = withUnsafeBytes(of: note) { ($0[28], $0[29]) }
    if trackNumber == nil, zero == 0, track != 0 { trackNumber = String(track) }
    if genre == nil, Self.genres.indices.contains(Int(tag.pointee.genre)) {
      genre = Self.genres[Int(tag.pointee.genre)]
    }
  }

  /// libmpg123's text is UTF-8 with a zero between several values.
  private static func text(_ string: mpg123_string) -> String? {
    guard let start = string.p, string.fill > 1 else { return nil }
    let bytes = UnsafeRawBufferPointer(start: start, count: string.fill - 1)
    let values = bytes.split(separator: 0).map { String(tagBytes: $0) }
    return values.isEmpty ? nil : values.joined(separator: "; ")
  }

  /// A field of fixed size, padded with zeros or blanks.
  private static func field<T>(_ field: T) -> String? {
    withUnsafeBytes(of: field) { bytes in
      var end = bytes.firstIndex(of: 0) ?? bytes.count
      while end > 0, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
      return end == 0 ? nil : String(tagBytes: bytes[..<end])
    }
  }

  /// "(17)", "17" and "(17)Rock" all mean the eighteenth of the list.
  private static func genreName(_ text: String) -> String {
    guard text.first == "(", let close = text.firstIndex(of: ")") else {
      return Int(text).flatMap { genres.indices.contains($0) ? genres[$0] : nil } ?? text
    }
    let rest = text[text.index(after: close)...]
    guard rest.isEmpty, let number = Int(text[..<close].dropFirst()),
      genres.indices.contains(number)
    else { return rest.isEmpty ? text : String(rest) }
    return genres[number]
  }

  /// The list of ID3v1, the part that all readers agree on.
  private static let genres = """
    Blues,Classic Rock,Country,Dance,Disco,Funk,Grunge,Hip-Hop,Jazz,Metal,New Age,Oldies,Other,Pop,\
    R&B,Rap,Reggae,Rock,Techno,Industrial,Alternative,Ska,Death Metal,Pranks,Soundtrack,\
    Euro-Techno,Ambient,Trip-Hop,Vocal,Jazz+Funk,Fusion,Trance,Classical,Instrumental,Acid,House,\
    Game,Sound Clip,Gospel,Noise,Alternative Rock,Bass,Soul,Punk,Space,Meditative,\
    Instrumental Pop,Instrumental Rock,Ethnic,Gothic,Darkwave,Techno-Industrial,Electronic,\
    Pop-Folk,Eurodance,Dream,Southern Rock,Comedy,Cult,Gangsta,Top 40,Christian Rap,Pop/Funk,\
    Jungle,Native US,Cabaret,New Wave,Psychedelic,Rave,Showtunes,Trailer,Lo-Fi,Tribal,Acid Punk,\
    Acid Jazz,Polka,Retro,Musical,Rock & Roll,Hard Rock
    """.split(separator: ",").map(String.init)
}
