// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Reads PLS: "File3=…", "Title3=…", "Length3=…", in any order.
enum PLSReader {
  static func read(_ text: ListText, _ place: ListPlace) -> (String?, [PlaylistFile.Entry]) {
    var entries: [Int64: PlaylistFile.Entry] = [:]
    var title: String?
    text.forEachLine { line in
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return }
      let key = text.text(line[..<equals]).filter { $0 != " " }.lowercased()
      var bytes = line[line.index(after: equals)...]
      while bytes.first == 0x20 || bytes.first == 0x09 { bytes = bytes.dropFirst() }
      let name = key.prefix { !("0"..."9").contains($0) }
      guard !bytes.isEmpty else { return }
      if key == "x-gnome-title" || key == "playlistname" { title = text.text(bytes) }
      guard let number = ListTime.number(key.dropFirst(name.count)) else { return }
      var entry = entries[number] ?? PlaylistFile.Entry(path: "")
      switch name {
      case "file": entry.path = place.resolve(.path(bytes), in: text)
      case "title": entry.title = text.text(bytes)
      case "length": entry.duration = ListTime.seconds(text.text(bytes))
      default: return
      }
      entries[number] = entry
    }
    let named = entries.filter { !$0.value.path.isEmpty }.sorted { $0.key < $1.key }
    return (title, named.map(\.value))
  }
}

extension BytePath {
  /// Whether it names nothing at all.
  var isEmpty: Bool { self == "" }
}
