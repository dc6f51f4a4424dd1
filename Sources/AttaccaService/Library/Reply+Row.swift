// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Reply {
  /// What the protocol tells of a song of the index, without the tags of `hidden` names.
  ///
  /// The row's columns are those of `LibraryIndex`. The same lines as of a `Song`, which takes three times as long to make.
  mutating func song(_ row: StoredRow, hidden: [[UInt8]]) {
    pair("file", row.bytes(0))
    moment("Last-Modified", row.integer(1))
    if !row.isNull(3) { pair("Format", row.bytes(3)) }
    tags(row.bytes(4), hidden: hidden)
    guard let nanoseconds = row.optionalInteger(2) else { return }
    length(milliseconds: nanoseconds / 1_000_000)
  }

  private mutating func tags(_ text: UnsafeBufferPointer<UInt8>, hidden: [[UInt8]]) {
    var rest = text[...]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let end = rest[equals...].firstIndex(of: 0x0A) ?? rest.endIndex
      let name = rest[..<equals]
      if !hidden.contains(where: { $0.elementsEqual(name) }) {
        pair(
          UnsafeBufferPointer(rebasing: name),
          UnsafeBufferPointer(rebasing: rest[(equals + 1)..<end]))
      }
      rest = rest[min(end + 1, rest.endIndex)...]
    }
  }
}

extension Set<SongTag> {
  /// Names of the tags that are not in the set.
  var hiddenNames: [[UInt8]] {
    SongTag.allCases.filter { !contains($0) }.map { Array($0.rawValue.utf8) }
  }
}
