// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundFiles

/// Names of files as a list at a place writes them.
struct WrittenNames {
  private let folder: [UInt8]

  init(of list: BytePath) { folder = Self.absolute(list.folder).bytes + [UInt8(ascii: "/")] }

  /// The path without "." and "..", from the root on.
  private static func absolute(_ path: BytePath) -> BytePath {
    if path.isAbsolute, isPlain(path.bytes) { return path }
    var parts: [ArraySlice<UInt8>] = []
    let here = path.isAbsolute ? [] : workingFolder
    for part in (here + [0x2F] + path.bytes).split(separator: 0x2F)
    where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(part) }
    }
    return BytePath(bytes: parts.flatMap { [0x2F] + $0 })
  }

  /// Tells whether no part of a path from the root on is empty or begins with a dot.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    var last: UInt8 = 0
    for byte in bytes {
      if last == 0x2F, byte == 0x2F || byte == 0x2E { return false }
      last = byte
    }
    return last != 0x2F
  }

  private static let workingFolder: [UInt8] = {
    guard let path = getcwd(nil, 0) else { return [] }
    defer { free(path) }
    return Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }()

  /// Bytes of a path from the list's folder on, if it is below that; otherwise from the root on.
  private func bytes(of path: BytePath) -> [UInt8] {
    let whole = Self.absolute(path).bytes
    return whole.starts(with: folder) ? Array(whole.dropFirst(folder.count)) : whole
  }

  /// A path as it stands in a line of text; as an address where that would be read as something else, as "%41" is where
  /// it `isDecoded`.
  func plain(_ path: BytePath, isDecoded: Bool = true) -> String {
    if path.isAddress { return path.text }
    let bytes = bytes(of: path)
    let isMistaken =
      !path.isText || bytes.contains { $0 < 0x20 || ($0 == 0x25 && isDecoded) || $0 == 0x5C }
      || bytes.last == 0x20 || BytePath(bytes: bytes).isAddress
    if isMistaken { return "file://" + PercentCoding.coded(Self.absolute(path).bytes) }
    let isSpecial = [UInt8(ascii: "#"), 0x20, UInt8(ascii: "<"), UInt8(ascii: "[")].contains(
      bytes.first ?? 0)
    return (isSpecial ? "./" : "") + String(decoding: bytes, as: UTF8.self)
  }

  /// A path as an address, which may be relative.
  func reference(_ path: BytePath) -> String {
    if path.isAddress { return path.text }
    let bytes = bytes(of: path)
    let coded = PercentCoding.coded(bytes)
    return bytes.first == 0x2F ? "file://" + coded : coded
  }
}

extension String {
  /// The text within XML, in an element or in quotes, without what XML has no place for.
  var inXML: String {
    // Most texts have nothing to be changed.
    let isPlain = utf8.allSatisfy {
      $0 >= 0x20 && $0 < 0xEF && $0 != 0x26 && $0 != 0x3C && $0 != 0x3E && $0 != 0x22
    }
    if isPlain { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\u{0}"..<"\u{20}" where scalar != "\t": text += " "
      case "\u{FFFE}", "\u{FFFF}": break
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text in one line.
  var inLine: String {
    if utf8.allSatisfy({ $0 >= 0x20 }) { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }
}
