// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Writes PLS.
enum PLSWriter {
  static func text(of list: PlaylistFile, _ names: WrittenNames) -> String {
    var text = "[playlist]\n"
    if let title = list.title { text += "X-GNOME-Title=\(title.inLine)\n" }
    for (i, entry) in list.entries.enumerated() {
      text += "File\(i + 1)=\(names.plain(entry.path))\n"
      if let title = entry.shownTitle { text += "Title\(i + 1)=\(title.inLine)\n" }
      text += "Length\(i + 1)=\(entry.duration.map(ListTime.text) ?? "-1")\n"
    }
    return text + "NumberOfEntries=\(list.entries.count)\nVersion=2\n"
  }
}
