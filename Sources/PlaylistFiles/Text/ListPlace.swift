// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundFiles

/// Something that a list names, as it stands there.
enum ListLocation {
  /// A path or an address as bytes.
  case path(Slice<UnsafeBufferPointer<UInt8>>)
  /// An address of RFC 3986, which may be relative.
  case reference(String)
}

/// Place of a list, at which the names in it start.
struct ListPlace {
  /// The list's folder, with a slash at its end; nil for one whose entries stay as they stand.
  let folder: [UInt8]?

  init(of path: BytePath) { folder = path.folder.bytes }

  private init() { folder = nil }

  /// The place of lists whose entries somebody else resolves.
  static let nowhere = ListPlace()

  /// The path, or the address, that a location is.
  func resolve(_ location: ListLocation, in text: ListText) -> BytePath {
    switch location {
    case .reference(let reference): resolve(reference: reference)
    case .path(let bytes): resolve(bytes, in: text)
    }
  }

  /// The path, or the address, of an address of RFC 3986.
  func resolve(reference: String) -> BytePath {
    let path = BytePath(reference)
    guard folder != nil else { return path }
    if !reference.utf8.contains(UInt8(ascii: ":")) {
      return place(BytePath(bytes: PercentCoding.decoded(reference.utf8)))
    }
    if let named = BytePath(address: path) { return place(named) }
    return path.isAddress ? path : place(BytePath(bytes: PercentCoding.decoded(reference.utf8)))
  }

  /// The path of an address "file:///…" without blanks, as most are in long lists: without a text in between; nil for
  /// any other.
  func resolve(fileAddress bytes: [UInt8]) -> BytePath? {
    guard folder != nil, bytes.count > Self.local.utf8CodeUnitCount,
      bytes.withUnsafeBufferPointer({
        memcmp($0.baseAddress!, Self.local.utf8Start, Self.local.utf8CodeUnitCount) == 0
          && $0.allSatisfy { $0 > 0x20 && $0 < 0x80 }
      })
    else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { path in
      let first = Self.local.utf8CodeUnitCount - 1
      return BytePath(bytes: path[..<PercentCoding.decode(bytes[first...], into: path)])
    }
  }

  private static let local: StaticString = "file:///"

  private func resolve(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, in text: ListText) -> BytePath {
    guard let folder else { return BytePath(text.text(bytes)) }
    // Written in front of a name that would be read as something else.
    if bytes.starts(with: "./".utf8), bytes.count > 2, bytes.dropFirst(2).first != 0x2F {
      return resolve(bytes.dropFirst(2), in: text)
    }
    // Nothing to guess in most names: no look at the disk, and one copy.
    let isPlain = !bytes.contains { $0 == 0x25 || $0 == 0x5C || $0 == 0x3A || $0 >= 0x80 }
    if isPlain || (text.code == .utf8 && !bytes.contains { $0 == 0x25 || $0 == 0x5C || $0 == 0x3A })
    {
      if bytes.first == UInt8(ascii: "/") || folder.isEmpty { return BytePath(bytes: bytes) }
      return BytePath(bytes: folder + bytes)
    }
    let path = BytePath(bytes: bytes)
    if let named = BytePath(address: path) { return place(named) }
    if path.isAddress { return path }
    var candidates = Self.spellings(of: Array(bytes))
    if text.code != .utf8 { candidates += Self.spellings(of: Array(text.text(bytes).utf8)) }
    // Of a list that is not UTF-8 the text is the likelier name of what is not there.
    let usual = text.code == .utf8 ? 0 : candidates.count / 2
    return place(candidates.first { place($0).exists } ?? candidates[usual])
  }

  /// A path as seen from the list.
  func place(_ path: BytePath) -> BytePath {
    guard let folder, !folder.isEmpty, !path.isAbsolute else { return path }
    return BytePath(bytes: folder + path.bytes)
  }

  /// A path as it stands, decoded, and both with slashes for backslashes.
  private static func spellings(of bytes: [UInt8]) -> [BytePath] {
    let decoded = PercentCoding.decoded(bytes)
    return [bytes, decoded, slashed(bytes), slashed(decoded)].map { BytePath(bytes: $0) }
  }

  /// Windows paths: slashes for backslashes, and no drive.
  private static func slashed(_ bytes: [UInt8]) -> [UInt8] {
    let path = bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    guard path.count > 1, path[1] == UInt8(ascii: ":"),
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(path[0] | 0x20)
    else { return path }
    return Array(path.dropFirst(2))
  }
}
