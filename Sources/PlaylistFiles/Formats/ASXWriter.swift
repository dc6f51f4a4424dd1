// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Writes ASX.
enum ASXWriter {
  static func text(of list: PlaylistFile, _ names: WrittenNames) -> String {
    var text = "<asx version=\"3.0\">\n"
    if let title = list.title { text += "  <title>\(title.inXML)</title>\n" }
    for entry in list.entries {
      text += "  <entry>\n    <ref href=\"\(names.plain(entry.path).inXML)\"/>\n"
      if let title = entry.tags.title ?? entry.title {
        text += "    <title>\(title.inXML)</title>\n"
      }
      if let artist = entry.tags.artist { text += "    <author>\(artist.inXML)</author>\n" }
      if entry.start != .zero {
        text += "    <starttime value=\"\(ListTime.clockText(entry.start))\"/>\n"
      }
      if let length = entry.end.map({ $0 - entry.start }) ?? entry.duration {
        text += "    <duration value=\"\(ListTime.clockText(length))\"/>\n"
      }
      text += "  </entry>\n"
    }
    return text + "</asx>\n"
  }
}
