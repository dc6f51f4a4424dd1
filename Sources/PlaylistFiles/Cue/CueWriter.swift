// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Writes cue sheets in UTF-8.
enum CueWriter {
  /// The nearest 75th of a second.
  static func frames(_ time: MediaTime) -> Int64 { RationalTime(time).frames(at: 75) }

  static func text(of list: PlaylistFile, _ names: WrittenNames) -> String {
    let common = common(list)
    var text = ""
    for name in common.names where name != .album && name != .albumArtist {
      if let remark = remark(name) { text += "REM \(remark) \(quoted(common[name]))\n" }
    }
    if let catalog = common["catalog"].first { text += "CATALOG \(catalog.inLine)\n" }
    if let artist = common.albumArtist { text += "PERFORMER \(quoted([artist]))\n" }
    let title = common.album ?? (list.entries.contains { $0.tags.album != nil } ? nil : list.title)
    if let album = title { text += "TITLE \(quoted([album]))\n" }
    var path: BytePath?
    var artist = common.albumArtist
    for (i, entry) in list.entries.enumerated() {
      // A file that begins anew is named anew: times of a sheet go on within one.
      let isBehind = i > 0 && entry.start < list.entries[i - 1].start
      if entry.path != path || isBehind {
        path = entry.path
        text += "FILE \"\(names.plain(entry.path, isDecoded: false))\" \(type(of: entry.path))\n"
        let tags = entry.tags
        // Of another album than others.
        artist = tags.albumArtist ?? common.albumArtist
        if let artist, artist != common.albumArtist { text += "PERFORMER \(quoted([artist]))\n" }
        if let album = tags.album, album != common.album { text += "TITLE \(quoted([album]))\n" }
      }
      text += track(entry, i + 1, common, of: artist)
    }
    return text
  }

  private static func track(
    _ entry: PlaylistFile.Entry, _ number: Int, _ common: Tags, of albumArtist: String?
  ) -> String {
    var text = "  TRACK \(two(Int64(number))) AUDIO\n"
    let tags = entry.tags
    if let title = tags.title ?? entry.title { text += "    TITLE \(quoted([title]))\n" }
    if let artist = tags.artist, artist != albumArtist {
      text += "    PERFORMER \(quoted([artist]))\n"
    }
    if let isrc = tags[.isrc].first { text += "    ISRC \(isrc.inLine)\n" }
    for name in tags.names where tags[name] != common[name] {
      if let remark = remark(name) { text += "    REM \(remark) \(quoted(tags[name]))\n" }
    }
    if let gap = entry.gap.map(frames), gap > 0 { text += "    PREGAP \(clock(gap))\n" }
    let begin = frames(entry.start)
    if let pregap = entry.pregap.map(frames) {
      text += "    INDEX 00 \(clock(pregap))\n"
      // A first track that begins with its pregap is heard from there on.
      return text + "    INDEX 01 \(clock(max(begin, pregap)))\n"
    }
    return text + "    INDEX 01 \(clock(begin))\n"
  }

  /// Returns the tags that all entries have alike of their album.
  private static func common(_ list: PlaylistFile) -> Tags {
    var common = list.entries.first?.tags ?? Tags()
    let ofTracks: Set<Tags.Name> = [.title, .artist, .track, .isrc]
    for name in common.names {
      let isSame =
        !ofTracks.contains(name) && !name.rawValue.hasPrefix("replaygain_track")
        && list.entries.allSatisfy { $0.tags[name] == common[name] }
      if !isSame { common[name] = [] }
    }
    return common
  }

  /// The word of a remark that is a tag; nil for what is none.
  private static func remark(_ name: Tags.Name) -> String? {
    if name.rawValue.hasPrefix("replaygain_") { return name.rawValue.uppercased() }
    let words: [Tags.Name: String] = [
      .genre: "GENRE", .date: "DATE", .comment: "COMMENT", .composer: "COMPOSER",
      .disc: "DISCNUMBER", .discTotal: "TOTALDISCS", "discid": "DISCID",
    ]
    return words[name]
  }

  private static func quoted(_ values: [String]) -> String {
    let text = values.joined(separator: "; ").inLine
    let isWord = !text.isEmpty && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x22 }
    return isWord && text.count < 20 && Int(text) != nil ? text : "\"\(text)\""
  }

  private static func type(of path: BytePath) -> String {
    switch path.fileExtension {
    case "mp3": "MP3"
    case "aif", "aiff": "AIFF"
    default: "WAVE"
    }
  }

  private static func clock(_ frames: Int64) -> String {
    "\(two(frames / 75 / 60)):\(two(frames / 75 % 60)):\(two(frames % 75))"
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
