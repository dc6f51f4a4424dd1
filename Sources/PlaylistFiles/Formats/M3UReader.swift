// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Reads M3U: a path a line, and what players say of it behind "#".
struct M3UReader {
  private let text: ListText
  private let place: ListPlace
  private var title: String?
  private var entries: [PlaylistFile.Entry] = []
  /// Entry that comes next, with what has been said of it.
  private var next = PlaylistFile.Entry(path: "")
  /// Tags that have been said of all that follow.
  private var album = Tags()

  static func read(
    _ text: ListText, _ name: String, _ place: ListPlace
  ) throws(SoundFileError) -> (String?, [PlaylistFile.Entry]) {
    var reader = M3UReader(text: text, place: place)
    reader.entries.reserveCapacity(text.bytes.count / 64)
    try text.forEachLine { line throws(SoundFileError) in
      if line.first == UInt8(ascii: "#") { try reader.remark(line, name) } else { reader.add(line) }
    }
    return (reader.title, reader.entries)
  }

  private init(text: ListText, place: ListPlace) { (self.text, self.place) = (text, place) }

  private mutating func add(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
    next.path = place.resolve(.path(line), in: text)
    if !album.isEmpty { next.tags = album }
    entries.append(next)
    next = PlaylistFile.Entry(path: "")
  }

  private mutating func remark(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ name: String
  ) throws(SoundFileError) {
    if bytes.starts(with: "#EXTINF:".utf8) { return information(bytes.dropFirst(8)) }
    let line = text.text(bytes)
    for tag in ["#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-STREAM-INF"]
    where line.hasPrefix(tag) {
      throw SoundFileError(
        .unsupported, path: name, call: "PlaylistFile", cause: "an HLS stream, not a playlist")
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = String(line[line.index(after: colon)...].drop { $0 == " " })
    switch line[..<colon].uppercased() {
    case "#PLAYLIST": title = value.isEmpty ? nil : value
    case "#EXTALB": album.album = value.isEmpty ? nil : value
    case "#EXTART": album.albumArtist = value.isEmpty ? nil : value
    case "#EXTGENRE": album[.genre] = value.isEmpty ? [] : [value]
    case "#EXTVLCOPT": option(value)
    default: break
    }
  }

  /// "start-time=12.5", VLC's.
  private mutating func option(_ value: String) {
    let parts = value.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let time = ListTime.seconds(parts[1]) else { return }
    if parts[0] == "start-time" { next.start = time }
    if parts[0] == "stop-time" { next.end = time }
  }

  /// The length, attributes, and behind the first comma that is not inside quotes the title.
  private mutating func information(_ value: Slice<UnsafeBufferPointer<UInt8>>) {
    var isQuoted = false
    let comma = value.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    next.duration = ListTime.seconds(value[..<(comma ?? value.endIndex)].prefix { $0 != 0x20 })
    guard let comma else { return }
    let title = value[(comma + 1)...].drop { $0 == 0x20 }
    next.title = title.isEmpty ? nil : text.text(title)
  }
}
