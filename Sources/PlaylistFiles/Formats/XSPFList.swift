// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaTime
import SoundFiles

/// An XSPF as far as it has been read.
struct XSPFList {
  private static let base = "http://www.w3.org/XML/1998/namespace base"

  private let place: ListPlace
  private(set) var title: String?
  private(set) var entries: [PlaylistFile.Entry] = []
  private var entry: PlaylistFile.Entry?
  /// The tags of the track that is open.
  private var tags = TrackTags()
  /// Entries with tags of their own, for others with the same: tracks of an album share them.
  private var known: [TrackTags: PlaylistFile.Entry] = [:]
  /// The entry with tags that was added last.
  private var last: (tags: TrackTags, entry: PlaylistFile.Entry)?
  /// Elements that are open, and where their addresses start.
  private var path: [(element: XSPFElement, base: String)] = []
  /// True where the element that is open has a value: between most of them there are blanks alone.
  private var hasValue = false
  /// Content of the element that was opened last, since then; bytes, as most of it are the blanks between
  /// elements.
  private var content: [UInt8] = []

  /// Tags as a track names them.
  private struct TrackTags: Hashable {
    var artist: String?
    var album: String?
    var number: String?
    var comment: String?
  }

  /// So many different tags are looked up.
  private static let mostKnown = 1 << 15

  init(_ place: ListPlace) { self.place = place }

  mutating func open(
    _ name: UnsafePointer<CChar>, _ values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    var base = path.last?.base ?? ""
    var i = 0
    while let values, let key = values[i], let value = values[i + 1] {
      if strcmp(key, Self.base) == 0 {
        base = Self.resolved(String(cString: value), base)
      }
      i += 2
    }
    let element = XSPFElement(name)
    path.append((element, base))
    hasValue = element != .none && element != .track
    content.removeAll(keepingCapacity: true)
    if path.count == 3, element == .track {
      (entry, tags) = (PlaylistFile.Entry(path: ""), TrackTags())
    }
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if hasValue { content += bytes }
  }

  mutating func close() {
    let (element, base) = path.removeLast()
    let depth = path.count
    defer {
      content.removeAll(keepingCapacity: true)
      hasValue = path.last.map { $0.element != .none && $0.element != .track } ?? false
    }
    guard entry != nil else {
      if element == .title, depth == 1, let value { title = value }
      return
    }
    if element == .track, depth == 2 {
      if var entry, !entry.path.isEmpty {
        if tags != TrackTags() { setTags(of: &entry) }
        entries.append(entry)
      }
      entry = nil
    } else if element == .option, depth > 3, let value {
      option(value)
    } else if element == .location, depth == 3 {
      // More of them are other addresses of the same.
      guard entry?.path.isEmpty == true else { return }
      if base.isEmpty, let path = place.resolve(fileAddress: content) {
        entry?.path = path
      } else if let value {
        entry?.path = place.resolve(reference: Self.resolved(value, base))
      }
    } else if element != .none, depth == 3, let value {
      track(element, value)
    }
  }

  /// An element right within a track.
  private mutating func track(_ element: XSPFElement, _ value: String) {
    switch element {
    case .title: entry?.title = value
    case .creator: tags.artist = value
    case .album: tags.album = value
    case .trackNum: tags.number = value
    case .annotation: tags.comment = value
    case .duration:
      entry?.duration = ListTime.number(value).flatMap {
        $0 < 4_000_000_000_000 ? MediaTime(value: $0, timescale: 1_000) : nil
      }
    case .location, .track, .option, .none: break
    }
  }

  private mutating func setTags(of entry: inout PlaylistFile.Entry) {
    // Most tracks have those of the one before.
    if !entry.isClip, let last, last.tags == tags { return entry.share(tagsOf: last.entry) }
    if !entry.isClip, let known = known[tags] {
      last = (tags, known)
      return entry.share(tagsOf: known)
    }
    var new = Tags()
    (new.artist, new.album, new.trackNumber) = (tags.artist, tags.album, tags.number)
    if let comment = tags.comment { new[.comment] = [comment] }
    entry.tags = new
    guard !entry.isClip else { return }
    if known.count == Self.mostKnown { known = [:] }
    known[tags] = entry
    last = (tags, entry)
  }

  /// The content without lines and without blanks at its ends, of which most have none; nil where nothing is left.
  private var value: String? {
    guard let first = content.first(where: { $0 > 0x20 }) else { return nil }
    var last = first == content[0] ? first : UInt8(ascii: " ")
    var isPlain = true
    for byte in content.dropFirst() {
      isPlain = isPlain && (byte > 0x20 || (byte == 0x20 && last != 0x20))
      last = byte
    }
    isPlain = isPlain && content[0] > 0x20
    let text = String(decoding: content, as: UTF8.self)
    if isPlain, last != 0x20 { return text }
    let line = text.split { $0.isWhitespace }.joined(separator: " ")
    return line.isEmpty ? nil : line
  }

  /// "start-time=12.5", VLC's.
  private mutating func option(_ value: String) {
    let parts = value.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let time = ListTime.seconds(parts[1]) else { return }
    if parts[0] == "start-time" { entry?.start = time }
    if parts[0] == "stop-time" { entry?.end = time }
  }

  /// An address that may start at another one, as far as files and hosts need it.
  private static func resolved(_ reference: String, _ base: String) -> String {
    if base.isEmpty || BytePath(reference).isAddress { return reference }
    let isRooted = reference.hasPrefix("/")
    guard BytePath(base).isAddress, let scheme = base.firstRange(of: "://") else {
      return isRooted ? reference : BytePath(base).folder.text + reference
    }
    let host = base[scheme.upperBound...].prefix { $0 != "/" }
    let root = base[..<host.endIndex]
    if isRooted { return root + reference }
    let folder = BytePath(String(base[host.endIndex...])).folder.text
    return root + (folder.isEmpty ? "/" : folder) + reference
  }
}
