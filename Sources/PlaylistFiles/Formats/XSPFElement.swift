// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The names of elements that mean something; those of others, VLC's apart, mean nothing.
enum XSPFElement: String, CaseIterable {
  case track, location, title, creator, album, trackNum, annotation, duration
  /// VLC's.
  case option
  case none

  /// The element of a name, behind a namespace and a blank where it has one.
  init(_ name: UnsafePointer<CChar>) {
    var local = name
    if Self.begins(name, with: "http://xspf.org/ns/0/ ") {
      local += 22
    } else if Self.begins(name, with: "http://xspf.org/ns/0 ") {
      local += 21
    } else if let blank = strrchr(name, 0x20) {
      self = strcmp(blank + 1, "option") == 0 ? .option : .none
      return
    }
    // Millions of them are looked up: by length and first letter, one comparison each.
    let candidate: XSPFElement? =
      switch (strlen(local), UInt8(bitPattern: local[0])) {
      case (5, UInt8(ascii: "t")): local[1] == 0x72 ? .track : .title
      case (5, _): .album
      case (7, _): .creator
      case (8, UInt8(ascii: "l")): .location
      case (8, UInt8(ascii: "d")): .duration
      case (8, _): .trackNum
      case (10, _): .annotation
      default: nil
      }
    guard let candidate, candidate.rawValue.withCString({ strcmp($0, local) }) == 0 else {
      self = .none
      return
    }
    self = candidate
  }

  private static func begins(_ name: UnsafePointer<CChar>, with space: StaticString) -> Bool {
    let start = UnsafeRawPointer(space.utf8Start).assumingMemoryBound(to: CChar.self)
    return strncmp(name, start, space.utf8CodeUnitCount) == 0
  }
}
