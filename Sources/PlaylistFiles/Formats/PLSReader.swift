// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Reads PLS: "File3=…", "Title3=…", "Length3=…", in any order; "Ref3=…" too, of what servers of ASX gave.
enum PLSReader {
  /// The subject of a line, of the whole list or of an entry.
  private enum Key: String, CaseIterable {
    case file, length
    case reference = "ref"
    case entryTitle = "title"
    case title = "x-gnome-title"
    case name = "playlistname"
  }

  private static let keys = Key.allCases.map { (Array($0.rawValue.utf8), $0) }

  /// A key in letters of any case, with blanks, and the number behind it; nil for none.
  private static func key(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> (Key?, Int64?) {
    var end = bytes.endIndex
    while end > bytes.startIndex, [0x20, 0x09].contains(bytes[end - 1]) { end -= 1 }
    var start = end
    var (number, unit) = (Int64(0), Int64(1))
    while start > bytes.startIndex, 0x30...0x39 ~= bytes[start - 1] {
      // Eighteen digits are more than any list has.
      guard unit < 1_000_000_000_000_000_000 else { return (nil, nil) }
      start -= 1
      number += Int64(bytes[start] - 0x30) * unit
      unit *= 10
    }
    let hasNumber = start < end
    end = start
    start = bytes.startIndex
    while start < end, [0x20, 0x09].contains(bytes[start]) { start += 1 }
    while end > start, [0x20, 0x09].contains(bytes[end - 1]) { end -= 1 }
    let name = bytes[start..<end]
    let found = keys.first { spelling, _ in
      spelling.count == name.count
        && zip(spelling, name).allSatisfy { $0 == ($1 >= 0x41 && $1 <= 0x5A ? $1 | 0x20 : $1) }
    }
    return (found?.1, hasNumber ? number : nil)
  }

  /// Entries by their numbers, in any order; a million in the usual one take no table.
  private struct Numbered {
    private var entries: [PlaylistFile.Entry] = []
    private var numbers: [Int64] = []
    /// Places in `entries` by numbers; nil while those rise.
    private var places: [Int64: Int]?

    init(capacity: Int) {
      entries.reserveCapacity(capacity)
      numbers.reserveCapacity(capacity)
    }

    mutating func change(_ number: Int64, _ body: (inout PlaylistFile.Entry) -> Void) {
      let place = place(of: number)
      body(&entries[place])
    }

    private mutating func place(of number: Int64) -> Int {
      let last = numbers.last ?? .min
      if last == number { return numbers.count - 1 }
      if places == nil, last > number {
        places = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
      }
      if let place = places?[number] { return place }
      places?[number] = numbers.count
      numbers.append(number)
      entries.append(PlaylistFile.Entry(path: ""))
      return numbers.count - 1
    }

    /// Those with a path, in the order of their numbers.
    func named() -> [PlaylistFile.Entry] {
      let isSorted = places == nil
      if isSorted, !entries.contains(where: \.path.isEmpty) { return entries }
      let order =
        isSorted ? Array(numbers.indices) : numbers.indices.sorted { numbers[$0] < numbers[$1] }
      return order.lazy.map { entries[$0] }.filter { !$0.path.isEmpty }
    }
  }

  static func read(_ text: ListText, _ place: ListPlace) -> (String?, [PlaylistFile.Entry]) {
    // A million of them are read without a text for each key.
    var entries = Numbered(capacity: text.bytes.count / 64)
    var title: String?
    text.forEachLine { line in
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return }
      let bytes = line[(equals + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      guard !bytes.isEmpty else { return }
      let (name, number) = key(line[..<equals])
      guard let number else {
        if [.title, .name].contains(name) { title = text.text(bytes) }
        return
      }
      switch name {
      case .file, .reference:
        entries.change(number) { $0.path = place.resolve(.path(bytes), in: text) }
      case .entryTitle: entries.change(number) { $0.title = text.text(bytes) }
      case .length: entries.change(number) { $0.duration = ListTime.seconds(bytes) }
      case .title, .name, nil: return
      }
    }
    return (title, entries.named())
  }
}

extension BytePath {
  /// True where it names nothing at all.
  var isEmpty: Bool { self == "" }
}
