// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The names of elements that mean something; those of others, VLC's apart, mean nothing.
enum XSPFElement: String, CaseIterable {
  case track, location, title, creator, album, trackNum, annotation, duration
  /// VLC's.
  case option
  case none

  private static let namespaces = ["http://xspf.org/ns/0/ ", "http://xspf.org/ns/0 "]
    .map { Array($0.utf8CString.dropLast()) }
  private static let names = allCases.filter { ![.option, .none].contains($0) }
    .map { (Array($0.rawValue.utf8CString), $0) }

  /// The element of a name, behind a namespace and a blank where it has one.
  init(_ name: UnsafePointer<CChar>) {
    var local = name
    if let space = Self.namespaces.first(where: { strncmp(name, $0, $0.count) == 0 }) {
      local += space.count
    } else if let blank = strrchr(name, 0x20) {
      self = strcmp(blank + 1, "option") == 0 ? .option : .none
      return
    }
    self = Self.names.first { strcmp(local, $0.0) == 0 }?.1 ?? .none
  }
}
