// SPDX-License-Identifier: Apache-2.0

/// The list of ID3v1, the part that all readers agree on.
enum ID3Genres {
  /// The names that the content of a TCON stands for: "(17)", "17" and "(17)Rock" all mean the eighteenth of the list.
  static func name(_ text: String) -> String {
    guard text.first == "(", let close = text.firstIndex(of: ")") else {
      return Int(text).flatMap { all.indices.contains($0) ? all[$0] : nil } ?? text
    }
    let rest = text[text.index(after: close)...]
    guard rest.isEmpty, let number = Int(text[..<close].dropFirst()), all.indices.contains(number)
    else { return rest.isEmpty ? text : name(String(rest)) }
    return all[number]
  }

  static let all = """
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
