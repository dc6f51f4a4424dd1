// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Reads ASX: elements in any case, with ampersands that stand for themselves, which no XML parser takes.
struct ASXReader {
  private let text: ListText
  private let place: ListPlace
  private var title: String?
  private var entries: [PlaylistFile.Entry] = []
  /// The entry whose element is open; nil outside.
  private var entry: PlaylistFile.Entry?

  static func read(_ text: ListText, _ place: ListPlace) -> (String?, [PlaylistFile.Entry]) {
    var reader = ASXReader(text: text, place: place)
    reader.read(text.text(text.bytes))
    return (reader.title, reader.entries)
  }

  private init(text: ListText, place: ListPlace) { (self.text, self.place) = (text, place) }

  private mutating func read(_ all: String) {
    var rest = all[...]
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...]
      if rest.hasPrefix("<!--") {
        guard let end = rest.firstRange(of: "-->") else { break }
        rest = rest[end.upperBound...]
        continue
      }
      let (tag, behind) = Self.tag(rest.dropFirst())
      rest = behind
      let name = tag.prefix { !$0.isWhitespace && $0 != "=" }.lowercased()
      let content = Self.plain(rest.prefix { $0 != "<" })
      element(
        name.hasSuffix("/") ? String(name.dropLast()) : name, Self.attributes(tag), content)
    }
    close()
  }

  private mutating func element(_ name: String, _ values: [String: String], _ content: String) {
    switch name {
    case "entry":
      close()
      entry = PlaylistFile.Entry(path: "")
    case "/entry": close()
    case "ref":
      // More of them are other addresses of the same.
      if let path = path(values["href"]), entry?.path.isEmpty == true { entry?.path = path }
    case "entryref":
      if let path = path(values["href"]) { entries.append(PlaylistFile.Entry(path: path)) }
    case "title":
      guard !content.isEmpty else { return }
      if entry != nil { entry?.title = content } else { title = content }
    case "author": if !content.isEmpty { entry?.tags.artist = content }
    case "starttime":
      if let time = values["value"].flatMap({ ListTime.clock($0) }) { entry?.start = time }
    case "duration":
      if let time = values["value"].flatMap({ ListTime.clock($0) }) { entry?.duration = time }
    default: break
    }
  }

  private mutating func close() {
    if var entry, !entry.path.isEmpty {
      // A length is that of what is played: from a start on it is a clip.
      if entry.start != .zero, let duration = entry.duration { entry.end = entry.start + duration }
      entries.append(entry)
    }
    entry = nil
  }

  private func path(_ address: String?) -> BytePath? {
    guard let address, !address.isEmpty else { return nil }
    return Array(address.utf8).withUnsafeBufferPointer {
      place.resolve(.path($0[...]), in: text)
    }
  }

  /// Returns the text up to the next ">" outside of quotes, and what is behind it.
  private static func tag(_ text: Substring) -> (Substring, Substring) {
    var quote: Character?
    for i in text.indices {
      let character = text[i]
      if quote == character {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
      } else if quote == nil, character == ">" {
        return (text[..<i], text[text.index(after: i)...])
      }
    }
    return (text, "")
  }

  private static func attributes(_ tag: Substring) -> [String: String] {
    var values: [String: String] = [:]
    var rest = tag
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].split { $0.isWhitespace }.last?.lowercased() ?? ""
      rest = rest[rest.index(after: equals)...].drop { $0.isWhitespace }
      guard let quote = rest.first else { break }
      let value: Substring
      if quote == "\"" || quote == "'" {
        value = rest.dropFirst().prefix { $0 != quote }
        rest = rest[value.endIndex...].dropFirst()
      } else {
        value = rest.prefix { !$0.isWhitespace && $0 != "/" }
        rest = rest[value.endIndex...]
      }
      if values[name] == nil { values[name] = plain(value) }
    }
    return values
  }

  /// The text that characters and the five names stand for; blanks at the ends and lines do not count.
  private static func plain(_ text: Substring) -> String {
    let names = ["lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&"]
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    var (result, rest) = ("", words[...])
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      let name = rest.dropFirst().prefix(10).prefix { $0 != ";" }
      let isClosed = name.endIndex < rest.endIndex && rest[name.endIndex] == ";"
      let hexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
      let number =
        name.hasPrefix("#")
        ? UInt32(name.dropFirst(hexadecimal ? 2 : 1), radix: hexadecimal ? 16 : 10) : nil
      if isClosed,
        let known = names[name.lowercased()]
          ?? number.flatMap(Unicode.Scalar.init).map({ String(Character($0)) })
      {
        result += known
        rest = rest[name.endIndex...].dropFirst()
      } else {
        result += "&"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }
}
