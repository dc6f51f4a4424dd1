// SPDX-License-Identifier: Apache-2.0

/// Order of songs by one of their values.
struct SongOrder: Hashable, Sendable {
  /// The value; nil for the moment of the last change.
  let tag: SongTag?
  let isDescending: Bool

  /// The order of a name, "Artist", "-Date" or "Last-Modified".
  init(_ text: String) throws(CommandError) {
    isDescending = text.hasPrefix("-")
    let name = isDescending ? text.dropFirst() : text[...]
    if name.lowercased() == "last-modified" {
      tag = nil
    } else {
      guard let tag = SongTag(named: name) else {
        throw CommandError(.argument, "Unknown sort tag")
      }
      self.tag = tag
    }
  }

  /// The songs in this order; equal ones stay as they are.
  func sorted(_ songs: [Song]) -> [Song] {
    guard let tag else {
      return sorted(songs.map { ($0.modified ?? 0, $0) }) { $0 < $1 }
    }
    if tag == .track || tag == .disc {
      return sorted(
        songs.map { (Int($0.values(of: tag).first?.prefix { $0.isNumber } ?? "") ?? 0, $0) }
      ) {
        $0 < $1
      }
    }
    return sorted(songs.map { (FoldedText.folded($0.values(of: tag).first ?? ""), $0) }) { $0 < $1 }
  }

  private func sorted<Key>(
    _ keyed: [(Key, Song)], by precedes: (Key, Key) -> Bool
  ) -> [Song] {
    // Swift's sort is stable, which its documentation does not promise.
    keyed.enumerated().sorted { a, b in
      let (x, y) = isDescending ? (b.element.0, a.element.0) : (a.element.0, b.element.0)
      return precedes(x, y) || !precedes(y, x) && a.offset < b.offset
    }.map(\.element.1)
  }
}
