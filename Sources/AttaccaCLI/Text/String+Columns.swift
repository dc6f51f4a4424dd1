// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The same text without characters that a terminal would obey: tags and names are anyone's.
  ///
  /// Line ends stay.
  var withoutControls: String {
    guard unicodeScalars.contains(where: Self.isControl) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(Self.isControl(scalar) ? " " : scalar) }
    return String(text)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "\n" && scalar.properties.generalCategory == .control
  }

  /// The columns it takes in a terminal.
  var columns: Int { reduce(0) { $0 + Self.columns(of: $1) } }

  /// As much of it as fits, with "…" for the rest.
  func prefix(columns limit: Int) -> String {
    guard columns > limit else { return self }
    var (text, used) = ("", 1)
    for character in self {
      used += Self.columns(of: character)
      if used > limit { break }
      text.append(character)
    }
    return limit > 0 ? text + "…" : ""
  }

  private static func columns(of character: Character) -> Int {
    character.unicodeScalars.reduce(0) { Swift.max($0, columns(of: $1)) }
  }

  /// Nothing for marks, two for East Asian wide and emoji characters (Unicode's UAX #11 and #51),
  /// one for others.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x20000...0x3FFFD:
      return 2
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }
}

extension String {
  /// With spaces behind it until it is `width` columns wide.
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - columns))
  }

  /// With spaces in front of it until it is `width` columns wide.
  func leftPadded(_ width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - columns)) + self
  }
}
