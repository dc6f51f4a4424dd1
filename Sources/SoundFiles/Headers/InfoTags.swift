// SPDX-License-Identifier: Apache-2.0

/// Tags in chunks of their own: the INFO list of WAVE files and the strings of CAF, of which libsndfile tells some.
enum InfoTags {
  /// Names of the INFO list, of Microsoft and those that programs have added.
  private static let names: [String: Tags.Name] = [
    "INAM": .title, "IART": .artist, "IPRD": .album, "IPRT": .track, "ITRK": .track,
    "IFRM": .trackTotal, "IGNR": .genre, "ICRD": .date, "ICMT": .comment, "ICOP": .copyright,
    "ISFT": .encoder, "ILNG": .language, "IMUS": .composer, "IWRI": .lyricist, "IPUB": .publisher,
    "IBPM": .beatsPerMinute,
  ]

  /// Bytes of a list that are read, at most.
  private static let most: Int64 = 1 << 20

  /// The tags of a file; none where it has no such chunk.
  static func tags(
    of file: RegularFile, _ container: FileFormat.Container
  ) throws(SoundFileError) -> Tags {
    switch container {
    case .wav, .rf64: try wave(file)
    case .caf: try caf(file)
    default: Tags()
    }
  }

  private static func wave(_ file: RegularFile) throws(SoundFileError) -> Tags {
    let isBig = try file.bytes(at: 0, count: 4).text(at: 0, 4) == "RIFX"
    func size(_ bytes: [UInt8], at offset: Int) -> Int64 {
      Int64(isBig ? bytes.big(at: offset, 4) : bytes.little(at: offset, 4))
    }
    var tags = Tags()
    var offset: Int64 = 12
    var large: Int64 = 0
    for _ in 0..<1000 {
      let chunk = try file.bytes(at: offset, count: 24)
      guard chunk.count >= 12 else { break }
      let name = chunk.text(at: 0, 4)
      var length = size(chunk, at: 4)
      // What stands behind the samples of a file that is elsewhere comes when they have.
      if file.isRemote, name == "data" { break }
      if name == "ds64" { large = Int64(clamping: chunk.little(at: 16, 8)) }
      if name == "data", length == 0xFFFF_FFFF { length = large }
      guard length >= 0, length < file.size else { break }
      if name == "LIST", chunk.text(at: 8, 4) == "INFO" {
        let list = try file.bytes(at: offset + 12, count: Int(min(max(0, length - 4), most)))
        add(list, to: &tags) { size(list, at: $0) }
      }
      offset += 8 + length + length % 2
    }
    return tags
  }

  private static func add(_ list: [UInt8], to tags: inout Tags, size: (Int) -> Int64) {
    var place = 0
    while place + 8 <= list.count {
      let length = Int(size(place + 4))
      guard length <= list.count - place - 8 else { return }
      let name = list.text(at: place, 4)
      let text = list[(place + 8)..<(place + 8 + length)].prefix { $0 != 0 }
      if let name = names[name] { tags.add(trimmed(text), to: name) }
      place += 8 + length + length % 2
    }
  }

  /// Pairs of a name and a value, each with a zero behind it.
  private static func caf(_ file: RegularFile) throws(SoundFileError) -> Tags {
    var tags = Tags()
    var offset: Int64 = 8
    for _ in 0..<1000 {
      let chunk = try file.bytes(at: offset, count: 12)
      guard chunk.count == 12 else { break }
      let (name, size) = (chunk.text(at: 0, 4), Int64(bitPattern: chunk.big(at: 4, 8)))
      if file.isRemote, name == "data" { break }
      guard size >= 0, size < file.size else { break }
      if name == "info" {
        let strings = try file.bytes(at: offset + 12, count: Int(min(size, most))).dropFirst(4)
        let texts = strings.split(separator: 0, omittingEmptySubsequences: false)
        for i in stride(from: 0, to: texts.count - 1, by: 2) where !texts[i].isEmpty {
          tags.add(trimmed(texts[i + 1]), to: Tags.Name(String(tagBytes: texts[i])))
        }
      }
      offset += 12 + size
    }
    return tags
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String(tagBytes: bytes)[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
