// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Writes M3U in UTF-8.
enum M3UWriter {
  static func text(of list: PlaylistFile, _ names: WrittenNames) -> String {
    var text = "#EXTM3U\n"
    if let title = list.title { text += "#PLAYLIST:\(title.inLine)\n" }
    var album = Tags()
    let kinds: [(String, Tags.Name)] = [
      ("EXTALB", .album), ("EXTART", .albumArtist), ("EXTGENRE", .genre),
    ]
    for entry in list.entries {
      let tags = entry.tags
      for (word, name) in kinds where tags[name] != album[name] {
        album[name] = tags[name]
        text += "#\(word):\(tags[name].joined(separator: "; ").inLine)\n"
      }
      let title = entry.shownTitle
      if title != nil || entry.duration != nil {
        let length = entry.duration.map(ListTime.text) ?? "-1"
        text += "#EXTINF:\(length),\(title?.inLine ?? "")\n"
      }
      if entry.start != .zero { text += "#EXTVLCOPT:start-time=\(ListTime.text(entry.start))\n" }
      if let end = entry.end { text += "#EXTVLCOPT:stop-time=\(ListTime.text(end))\n" }
      text += names.plain(entry.path) + "\n"
    }
    return text
  }
}

extension PlaylistFile.Entry {
  /// Artist and title in one, for formats that have one place for both.
  var shownTitle: String? {
    let tags = tags
    guard let name = tags.title ?? title else { return nil }
    return tags.artist.map { "\($0) - \(name)" } ?? name
  }
}
