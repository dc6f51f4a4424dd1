// SPDX-License-Identifier: Apache-2.0

/// Reads an expression such as "((Artist == 'A') AND (!(Album contains 'B')))".
///
/// Pure. What is wrong is told in MPD's words.
struct FilterParser {
  private var rest: Substring.UnicodeScalarView
  private let foldsCase: Bool
  private var depth = 0

  /// Expressions within each other, at most: each is a call on the stack.
  private static let deepest = 64

  private init(_ text: String, foldsCase: Bool) {
    (rest, self.foldsCase) = (text.unicodeScalars[...], foldsCase)
  }

  /// The filter of an expression, in which case counts unless it `foldsCase`.
  static func filter(_ text: String, foldsCase: Bool) throws(CommandError) -> SongFilter {
    var parser = FilterParser(text, foldsCase: foldsCase)
    let filter = try parser.expression()
    guard parser.rest.isEmpty else {
      throw CommandError(.argument, "Unparsed garbage after expression")
    }
    return filter
  }

  private mutating func skipBlanks() { rest = rest.drop { $0.properties.isWhitespace } }

  private mutating func take(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard rest.starts(with: scalars) else { return false }
    rest = rest.dropFirst(scalars.count)
    return true
  }

  private mutating func takeWord(_ text: String) -> Bool {
    let head = String(String.UnicodeScalarView(rest.prefix(text.unicodeScalars.count)))
    guard head.lowercased() == text.lowercased() else { return false }
    let behind = rest.dropFirst(text.unicodeScalars.count)
    guard behind.first.map({ $0.properties.isWhitespace }) ?? false else { return false }
    rest = behind
    skipBlanks()
    return true
  }

  private mutating func close() throws(CommandError) {
    skipBlanks()
    guard take(")") else { throw CommandError(.argument, "')' expected") }
    skipBlanks()
  }

  private mutating func expression() throws(CommandError) -> SongFilter {
    guard take("(") else { throw CommandError(.argument, "'(' expected") }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw CommandError(.argument, "more than \(Self.deepest) expressions within each other")
    }
    skipBlanks()
    if rest.first == "(" { return try conjunction() }
    if take("!") {
      skipBlanks()
      guard rest.first == "(" else { throw CommandError(.argument, "'(' expected") }
      let inner = try expression()
      try close()
      return .not(inner)
    }
    let filter = try test()
    try close()
    return filter
  }

  private mutating func conjunction() throws(CommandError) -> SongFilter {
    var filters = [try expression()]
    while rest.first != ")" {
      guard takeWord("AND") else { throw CommandError(.argument, "'AND' expected") }
      filters.append(try expression())
    }
    try close()
    return filters.count == 1 ? filters[0] : .all(filters)
  }

  private mutating func word() throws(CommandError) -> String {
    let word = rest.prefix {
      $0.isASCII && ($0.properties.isAlphabetic || $0 == "-" || $0 == "_")
    }
    guard !word.isEmpty else { throw CommandError(.argument, "Word expected") }
    rest = rest[word.endIndex...]
    skipBlanks()
    return String(String.UnicodeScalarView(word))
  }

  private mutating func quoted() throws(CommandError) -> String {
    skipBlanks()
    guard let quote = rest.popFirst(), quote == "'" || quote == "\"" else {
      throw CommandError(.argument, "Quoted string expected")
    }
    var value = String.UnicodeScalarView()
    while true {
      guard var scalar = rest.popFirst() else {
        throw CommandError(.argument, "Closing quote not found")
      }
      if scalar == quote { break }
      if scalar == "\\" {
        guard let escaped = rest.popFirst() else {
          throw CommandError(.argument, "Closing quote not found")
        }
        scalar = escaped
      }
      value.append(scalar)
    }
    skipBlanks()
    return String(value)
  }

  private mutating func test() throws(CommandError) -> SongFilter {
    let name = try word()
    switch name.lowercased() {
    case "base": return .base(try Self.folder(try quoted()))
    case "modified-since": return .modifiedSince(try Self.moment(try quoted()))
    case "audioformat":
      let permitsAny = take("=~")
      guard permitsAny || take("==") else {
        throw CommandError(.argument, "'==' or '=~' expected")
      }
      guard let mask = AudioFormatMask(try quoted(), permitsAny: permitsAny) else {
        throw CommandError(.argument, "Failed to parse audio format")
      }
      return .format(mask)
    case "prio":
      guard take(">=") else { throw CommandError(.argument, "'>=' expected") }
      skipBlanks()
      let digits = rest.prefix { ("0"..."9").contains($0) }
      guard let least = Int(String(String.UnicodeScalarView(digits))), least <= 255 else {
        throw CommandError(.argument, "Number expected")
      }
      rest = rest[digits.endIndex...]
      return .priority(least)
    default: return try textTest(try Self.field(name))
    }
  }

  private mutating func textTest(_ field: FilteredField) throws(CommandError) -> SongFilter {
    if takeWord("contains") {
      return .text(field, .contains, try quoted(), foldsCase: foldsCase)
    }
    if takeWord("starts_with") {
      return .text(field, .startsWith, try quoted(), foldsCase: foldsCase)
    }
    let isNegated = rest.first == "!"
    let filter: SongFilter
    if take("==") || take("!=") {
      filter = .text(field, .equals, try quoted(), foldsCase: foldsCase)
    } else if take("=~") || take("!~") {
      filter = .pattern(field, try CompiledPattern(try quoted(), ignoresCase: foldsCase))
    } else {
      throw CommandError(.argument, "'==' or '!=' expected")
    }
    return isNegated ? .not(filter) : filter
  }

  /// The field of a name.
  static func field(_ name: String) throws(CommandError) -> FilteredField {
    switch name.lowercased() {
    case "any": return .any
    case "file", "filename": return .file
    default:
      guard let tag = SongTag(named: name) else {
        throw CommandError(.argument, "Unknown filter type: \(name)")
      }
      return .tag(tag)
    }
  }

  static func folder(_ text: String) throws(CommandError) -> String {
    var folder = text[...]
    while folder.last == "/" { folder = folder.dropLast() }
    guard folder.first != "/", !folder.split(separator: "/").contains("..") else {
      throw CommandError(.argument, "Bad URI")
    }
    return String(folder)
  }

  static func moment(_ text: String) throws(CommandError) -> Int64 {
    guard let seconds = Timestamp.seconds(text) else {
      throw CommandError(.argument, "Failed to parse time stamp")
    }
    return seconds
  }
}
