// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// Takes a playlist of HLS line by line; its number of lines bounds what it keeps.
struct HLSParser {
  private let name: String
  private var isFirst = true
  private var segments = HLSPlaylist.Segments()
  private var variants: [HLSPlaylist.Variant] = []
  /// Of each group of sound, where it is; nil where that is with the pictures.
  private var groups: [String: String] = [:]
  private var groupOfVariant: [String?] = []
  private var hasSegments = false
  /// Segment that comes next with what has been said of it, and of those behind it.
  private var next = HLSPlaylist.Segment(place: "", seconds: 0)
  private var key: HLSPlaylist.Key?
  private var header: HLSPlaylist.Header?
  private var variant: HLSAttributes?
  /// The last range's file, and the place where it ended.
  private var lastRange: (place: String, end: Int64)?
  private var range: (count: Int64, start: Int64?)?

  init(name: String) { self.name = name }

  private func error(_ kind: SoundFileError.Kind, _ cause: String) -> SoundFileError {
    SoundFileError(kind, path: name, call: "HLSPlaylist", cause: cause)
  }

  mutating func take(_ whole: Substring) throws(SoundFileError) {
    var line = whole
    while line.last?.isWhitespace == true { line.removeLast() }
    if isFirst {
      isFirst = false
      if line.hasPrefix("\u{FEFF}") { line = line.dropFirst() }
      guard line.hasPrefix("#EXTM3U") else {
        throw error(.broken, "it does not begin as a playlist")
      }
      return
    }
    guard !line.isEmpty else { return }
    guard line.hasPrefix("#") else { return try takePlace(String(line)) }
    guard line.hasPrefix("#EXT") else { return }
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    try take(String(parts[0]), parts.count > 1 ? parts[1] : "")
  }

  private mutating func take(_ tag: String, _ value: Substring) throws(SoundFileError) {
    switch tag {
    case "#EXT-X-TARGETDURATION":
      hasSegments = true
      segments.target = min(max(Self.seconds(value) ?? 10, 0.1), 600)
    case "#EXT-X-MEDIA-SEQUENCE":
      hasSegments = true
      segments.firstNumber = Int64(value).flatMap { 0..<1 << 53 ~= $0 ? $0 : nil } ?? 0
    case "#EXT-X-ENDLIST": segments.isWhole = true
    case "#EXT-X-PLAYLIST-TYPE": segments.keepsAll = true
    case "#EXT-X-I-FRAMES-ONLY": throw error(.unsupported, "pictures without sound")
    case "#EXTINF":
      hasSegments = true
      next.seconds = min(Self.seconds(value.prefix { $0 != "," }) ?? 0, 86_400)
    case "#EXT-X-DISCONTINUITY": next.beginsAnew = true
    case "#EXT-X-GAP": next.isGap = true
    case "#EXT-X-BYTERANGE": range = try byteRange(value)
    case "#EXT-X-KEY": key = try key(HLSAttributes(value))
    case "#EXT-X-MAP": try takeHeader(HLSAttributes(value))
    case "#EXT-X-STREAM-INF": variant = HLSAttributes(value)
    case "#EXT-X-MEDIA": takeGroup(HLSAttributes(value))
    default: break
    }
  }

  private static func seconds(_ text: Substring) -> Double? {
    Double(text.filter { !$0.isWhitespace }).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }

  /// "count" or "count@start".
  private func byteRange(
    _ text: some StringProtocol
  ) throws(SoundFileError) -> (count: Int64, start: Int64?) {
    let parts = text.split(separator: "@", maxSplits: 1).map { Int64($0) }
    guard let first = parts.first, let count = first, 0..<1 << 40 ~= count else {
      throw error(.broken, "a range of bytes ‘\(text.prefix(40))’")
    }
    guard parts.count > 1 else { return (count, nil) }
    guard let start = parts[1], 0..<1 << 50 ~= start else {
      throw error(.broken, "a range of bytes ‘\(text.prefix(40))’")
    }
    return (count, start)
  }

  private func key(_ values: HLSAttributes) throws(SoundFileError) -> HLSPlaylist.Key? {
    switch values["METHOD"] {
    case "NONE", nil: return nil
    case "AES-128":
      guard let place = values["URI"] else { throw error(.broken, "a key without a place") }
      if let format = values["KEYFORMAT"], format != "identity" {
        throw error(.unsupported, "its key is one of \(format)")
      }
      let start = values.hexadecimal("IV")
      guard start != nil || values["IV"] == nil else { throw error(.broken, "a key's IV") }
      return HLSPlaylist.Key(place: place, start: start)
    case let method?: throw error(.unsupported, "it is encrypted (\(method.prefix(40)))")
    }
  }

  private mutating func takeHeader(_ values: HLSAttributes) throws(SoundFileError) {
    guard let place = values["URI"] else { throw error(.broken, "a header without a place") }
    var bytes: Range<Int64>?
    if let text = values["BYTERANGE"] {
      let range = try byteRange(text)
      bytes = (range.start ?? 0)..<(range.start ?? 0) + range.count
    }
    header = HLSPlaylist.Header(place: place, bytes: bytes, key: key)
  }

  private mutating func takeGroup(_ values: HLSAttributes) {
    guard values["TYPE"] == "AUDIO", let group = values["GROUP-ID"], let place = values["URI"],
      groups.count < HLSPlaylist.mostVariants,
      groups[group] == nil || values["DEFAULT"] == "YES"
    else { return }
    groups[group] = place
  }

  private mutating func takePlace(_ place: String) throws(SoundFileError) {
    if let values = variant {
      variant = nil
      guard variants.count < HLSPlaylist.mostVariants else {
        throw error(.unsupported, "more than \(HLSPlaylist.mostVariants) variants")
      }
      let codes = values["CODECS"]?.split(separator: ",") ?? []
      let sound = ["mp4a", "ac-3", "ec-3", "opus", "Opus", "fLaC", "flac", "alac", "mp3"]
      variants.append(
        HLSPlaylist.Variant(
          bandwidth: Int(values["BANDWIDTH"] ?? "") ?? 0, place: place,
          isSoundAlone: !codes.isEmpty
            && codes.allSatisfy { code in
              sound.contains { code.drop { $0.isWhitespace }.hasPrefix($0) }
            }))
      groupOfVariant.append(values["AUDIO"])
      return
    }
    // A list of files has places, too, and no tags in front.
    guard hasSegments else { return }
    guard segments.list.count < HLSPlaylist.mostSegments else {
      throw error(.unsupported, "more than \(HLSPlaylist.mostSegments) segments")
    }
    (next.place, next.key, next.header) = (place, key, header)
    if let range {
      let start = range.start ?? (lastRange?.place == place ? lastRange!.end : 0)
      next.bytes = start..<start + range.count
      lastRange = (place, start + range.count)
    }
    range = nil
    segments.list.append(next)
    next = HLSPlaylist.Segment(place: "", seconds: 0)
  }

  /// Returns the playlist of what has been taken.
  func playlist() throws(SoundFileError) -> HLSPlaylist {
    guard variants.isEmpty else { return .choices(choices) }
    guard hasSegments else { throw error(.broken, "neither segments nor variants in it") }
    return .segments(segments)
  }

  /// By their bit rates, each place once: sound alone where there is such.
  private var choices: [HLSPlaylist.Variant] {
    var all = variants
    for (i, group) in groupOfVariant.enumerated() {
      guard let place = group.flatMap({ groups[$0] }) else { continue }
      (all[i].place, all[i].isSoundAlone) = (place, true)
    }
    if all.contains(where: \.isSoundAlone) {
      all.removeAll { !$0.isSoundAlone }
    } else if let least = all.min(by: { $0.bandwidth < $1.bandwidth }) {
      // More bits are more of the pictures.
      all = [least]
    }
    var known: Set<String> = []
    return all.sorted { $0.bandwidth < $1.bandwidth }.filter { known.insert($0.place).inserted }
  }
}
