// SPDX-License-Identifier: Apache-2.0

/// Tags of a Matroska file that are about all of it: each has a level, of which 50 is the album's and 30 the track's.
struct MatroskaTags {
  private(set) var tags = Tags()
  private var albumTags = Tags()
  private var rest = 1 << 22
  private let file: RegularFile

  private static let longest = 1 << 18

  init(_ range: Range<Int64>, of file: RegularFile) throws(SoundFileError) {
    self.file = file
    var groups: [Range<Int64>] = []
    try EBMLElement.walk(range, of: file) { tag throws(SoundFileError) in
      if tag.id == 0x7373 { groups.append(tag.content) }
      return groups.count < 1_000
    }
    var read: [Group] = []
    for group in groups { if let one = try Self.group(group, file) { read.append(one) } }
    // 50 by default, which mkvmerge leaves out; ffmpeg has no levels at all, and means the track.
    let hasLevels = read.contains { ($0.level ?? 50) < 50 }
    for group in read {
      for tag in group.simple {
        try readSimple(tag, isAlbum: (group.level ?? (hasLevels ? 50 : 30)) >= 50)
      }
    }
    tags.fill(from: albumTags)
  }

  /// Tags about one thing, of a level.
  private struct Group {
    var level: UInt64?
    var simple: [Range<Int64>] = []
  }

  /// nil for what is about one edition, chapter or attachment.
  private static func group(
    _ group: Range<Int64>, _ file: RegularFile
  ) throws(SoundFileError) -> Group? {
    var (found, isPart) = (Group(), false)
    try EBMLElement.walk(group, of: file) { element throws(SoundFileError) in
      if element.id == 0x67C8 { found.simple.append(element.content) }
      guard element.id == 0x63C0 else { return found.simple.count < 1_000 }
      try EBMLElement.walk(element.content, of: file) { field throws(SoundFileError) in
        switch field.id {
        case 0x68CA: found.level = try field.number(in: file)
        case 0x63C9, 0x63C4, 0x63C6: if try field.number(in: file) != 0 { isPart = true }
        default: break
        }
        return true
      }
      return true
    }
    return isPart ? nil : found
  }

  private mutating func readSimple(
    _ range: Range<Int64>, isAlbum: Bool
  ) throws(SoundFileError) {
    var (name, value) = (String?.none, String?.none)
    let (file, limit) = (file, min(Self.longest, rest))
    try EBMLElement.walk(range, of: file) { field throws(SoundFileError) in
      if field.id == 0x45A3 { name = try field.text(in: file, atMost: 256) }
      if field.id == 0x4487 { value = try field.text(in: file, atMost: limit) }
      return true
    }
    guard let name = name?.uppercased(), let value, !Self.isOfWriter(name) else { return }
    rest -= min(rest, value.utf8.count)
    switch (name, isAlbum) {
    case ("TITLE", true): albumTags.add(value, to: .album)
    case ("ARTIST", true): albumTags.add(value, to: .albumArtist)
    case ("TOTAL_PARTS", true): albumTags.add(value, to: .trackTotal)
    case ("PART_NUMBER", true): albumTags.add(value, to: .disc)
    case ("PART_NUMBER", false): tags.add(value, to: .track)
    case ("DATE_RELEASED", _), ("DATE_RECORDED", _): albumTags.add(value, to: .date)
    case (_, true): albumTags.add(value, to: Tags.Name(name))
    case (_, false): tags.add(value, to: Tags.Name(name))
    }
  }

  /// Tells whether a name is of what programs note down for themselves.
  private static func isOfWriter(_ name: String) -> Bool {
    name.hasPrefix("_STATISTICS")
      || ["BPS", "DURATION", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES"].contains(name)
  }
}
