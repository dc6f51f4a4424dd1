// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Writes XSPF; parts of files as VLC does.
enum XSPFWriter {
  static func text(of list: PlaylistFile, _ names: WrittenNames) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/" xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/">

      """
    if let title = list.title { text += "  <title>\(title.inXML)</title>\n" }
    text += "  <trackList>\n"
    for entry in list.entries { text += track(entry, names) }
    return text + "  </trackList>\n</playlist>\n"
  }

  private static func track(_ entry: PlaylistFile.Entry, _ names: WrittenNames) -> String {
    var text = "    <track>\n"
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { text += "      <\(name)>\(value.inXML)</\(name)>\n" }
    }
    add("location", names.reference(entry.path))
    add("title", entry.tags.title ?? entry.title)
    add("creator", entry.tags.artist)
    add("annotation", entry.tags[.comment].first)
    add("album", entry.tags.album)
    // The format has numbers there: "3/12" is none.
    add(
      "trackNum",
      entry.tags.trackNumber.map { String($0.prefix { $0 != "/" }) }
        .flatMap { ListTime.number($0) }.flatMap { $0 > 0 ? "\($0)" : nil })
    add("duration", entry.duration.map { "\(RationalTime($0).frames(at: 1_000))" })
    if entry.isClip {
      text += "      <extension application=\"http://www.videolan.org/vlc/playlist/0\">\n"
      var options = entry.start == .zero ? [] : ["start-time=\(ListTime.text(entry.start))"]
      if let end = entry.end { options.append("stop-time=\(ListTime.text(end))") }
      for option in options { text += "        <vlc:option>\(option)</vlc:option>\n" }
      text += "      </extension>\n"
    }
    return text + "    </track>\n"
  }
}
