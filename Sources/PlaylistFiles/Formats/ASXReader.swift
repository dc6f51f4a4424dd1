// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Reads ASX: elements in any case, with ampersands that stand for themselves, which no XML parser takes.
struct ASXReader {
  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  private let text: ListText
  private let place: ListPlace
  private var title: String?
  private var entries: [PlaylistFile.Entry] = []
  /// The entry whose element is open; nil outside.
  private var entry: PlaylistFile.Entry?
  /// The entry with an author that was added last: those of a row share it.
  private var last: PlaylistFile.Entry?

  static func read(_ text: ListText, _ place: ListPlace) -> (String?, [PlaylistFile.Entry]) {
    // Bytes of UTF-8: a million entries took 20 s as characters.
    let text = text.code == .utf8 ? text : ListText(Array(text.text(text.bytes).utf8))
    var reader = ASXReader(text: text, place: place)
    _ = text.bytes.withUnsafeBufferPointer { reader.read($0[...], isLast: true) }
    return (reader.title, reader.entries)
  }

  /// The list at `path`, of which some megabytes are in memory at a time; nil where it is none of ASX in UTF-8.
  ///
  /// - Throws: What reading the file does.
  static func list(
    at path: BytePath, atMost limit: Int64
  ) throws(SoundFileError) -> PlaylistFile? {
    var reader: ASXReader?
    var rest: [UInt8] = []
    try WholeFile.read(path, atMost: limit) { piece, isLast throws(SoundFileError) in
      rest += piece
      if reader == nil {
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
        guard PlaylistFile.Format(path) != .cue, PlaylistFile.Format(beginning: rest[...]) == .asx
        else { return false }
        reader = ASXReader(text: ListText([]), place: ListPlace(of: path))
      }
      // In front of "<" a character has ended.
      let count = rest.withUnsafeBufferPointer { reader?.read($0[...], isLast: isLast) ?? 0 }
      // What does not end is looked at again with each piece; and other codes are of the whole text.
      guard ListText.isUTF8(rest[..<count]), rest.count - count < longestElement else {
        reader = nil
        return false
      }
      rest.removeFirst(count)
      return true
    }
    return reader.map { PlaylistFile($0.entries, title: $0.title, format: .asx) }
  }

  /// Bytes of an element, with what is behind it, in a list of which not all is in memory.
  private static let longestElement = 1 << 23

  private init(text: ListText, place: ListPlace) { (self.text, self.place) = (text, place) }

  /// Reads the elements of a text, where that goes on only those that end in it.
  ///
  /// - Returns: How many bytes have been read.
  private mutating func read(_ all: Bytes, isLast: Bool) -> Int {
    var rest = all
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[open...]
      if rest.starts(with: "<!--".utf8) {
        guard let behind = Self.behindComment(rest) else {
          guard isLast else { return open }
          break
        }
        rest = behind
        continue
      }
      let tag = Self.tag(rest.dropFirst())
      let content = rest[tag.endIndex...].dropFirst().prefix { $0 != UInt8(ascii: "<") }
      guard isLast || content.endIndex < rest.endIndex else { return open }
      rest = rest[content.startIndex...]
      element(tag, content)
    }
    if isLast { close() }
    return all.endIndex
  }

  /// An element whose tag is `tag`, with `content` behind that.
  private mutating func element(_ tag: Bytes, _ content: Bytes) {
    var name = tag.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "=") }
    if name.count > 1, name.last == UInt8(ascii: "/") { name = name.dropLast() }
    switch String(decoding: name, as: UTF8.self).lowercased() {
    case "entry":
      close()
      entry = PlaylistFile.Entry(path: "")
    case "/entry": close()
    case "ref":
      // More of them are other addresses of the same.
      guard entry?.path.isEmpty == true, let path = path(of: tag) else { return }
      entry?.path = path
    case "entryref":
      if let path = path(of: tag) { entries.append(PlaylistFile.Entry(path: path)) }
    case "title":
      let content = Self.plain(content)
      guard !content.isEmpty else { return }
      if entry != nil { entry?.title = content } else { title = content }
    case "author":
      let content = Self.plain(content)
      if !content.isEmpty { entry?.tags.artist = content }
    case "starttime": if let time = time(of: tag) { entry?.start = time }
    case "duration": if let time = time(of: tag) { entry?.duration = time }
    default: break
    }
  }

  private mutating func close() {
    if var entry, !entry.path.isEmpty {
      // A length is that of what is played: from a start on it is a clip.
      if entry.start != .zero, let duration = entry.duration { entry.end = entry.start + duration }
      if !entry.isClip, let artist = entry.tags.artist {
        if let last, last.tags.artist == artist { entry.share(tagsOf: last) } else { last = entry }
      }
      entries.append(entry)
    }
    entry = nil
  }

  private func path(of tag: Bytes) -> BytePath? {
    guard let address = Self.value(of: "href", in: tag), !address.isEmpty else { return nil }
    return Array(address.utf8).withUnsafeBufferPointer {
      place.resolve(.path($0[...]), in: text)
    }
  }

  private func time(of tag: Bytes) -> MediaTime? {
    Self.value(of: "value", in: tag).flatMap { ListTime.clock($0) }
  }
}

// Bytes of elements.
extension ASXReader {
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  /// The rest of `bytes` behind the comment at their beginning; nil where the comment does not end.
  private static func behindComment(_ bytes: Bytes) -> Bytes? {
    var rest = bytes.dropFirst(4)
    while let dash = rest.firstIndex(of: UInt8(ascii: "-")) {
      rest = rest[dash...]
      if rest.starts(with: "-->".utf8) { return rest.dropFirst(3) }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// The bytes up to the next ">" outside of quotes.
  private static func tag(_ bytes: Bytes) -> Bytes {
    var quote: UInt8?
    let end = bytes.firstIndex { byte in
      if quote == byte {
        quote = nil
      } else if quote == nil, isQuote(byte) {
        quote = byte
      } else {
        return quote == nil && byte == UInt8(ascii: ">")
      }
      return false
    }
    return bytes[..<(end ?? bytes.endIndex)]
  }

  /// The value of the first attribute of that name; nil for none.
  private static func value(of name: String, in tag: Bytes) -> String? {
    var rest = tag
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let word = rest[..<equals].split(whereSeparator: isBlank).last ?? rest[..<rest.startIndex]
      rest = rest[(equals + 1)...].drop(while: isBlank)
      guard let quote = rest.first else { return nil }
      let value: Bytes
      if isQuote(quote) {
        value = rest.dropFirst().prefix { $0 != quote }
        rest = rest[value.endIndex...].dropFirst()
      } else {
        value = rest.prefix { !isBlank($0) && $0 != UInt8(ascii: "/") }
        rest = rest[value.endIndex...]
      }
      let isWanted =
        word.count == name.utf8.count
        && zip(word, name.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
      if isWanted { return plain(value) }
    }
    return nil
  }

  /// The text that characters and the five names stand for; blanks at the ends and lines do not count.
  private static func plain(_ bytes: Bytes) -> String {
    var last = UInt8(ascii: " ")
    let isPlain = bytes.allSatisfy { byte in
      defer { last = byte }
      return byte > 0x20 && byte < 0x80 && byte != UInt8(ascii: "&") || byte == 0x20 && last != 0x20
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return isPlain && last != 0x20 ? text : plain(text[...])
  }

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
