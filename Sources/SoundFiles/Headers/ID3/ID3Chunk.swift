// SPDX-License-Identifier: Apache-2.0

/// The chunk of a WAVE or AIFF file that holds an ID3v2 tag.
enum ID3Chunk {
  /// Returns the place where the tag begins; nil where there is none.
  static func place(
    in file: RegularFile, _ container: FileFormat.Container
  ) throws(SoundFileError) -> Int64? {
    guard [.wav, .rf64, .aiff].contains(container) else { return nil }
    let isBig = try file.bytes(at: 0, count: 4).text(at: 0, 4) != "RIFF" && container != .rf64
    var offset: Int64 = 12
    var large: Int64 = 0
    for _ in 0..<1000 {
      let chunk = try file.bytes(at: offset, count: 24)
      guard chunk.count >= 8 else { return nil }
      var size = Int64(isBig ? chunk.big(at: 4, 4) : chunk.little(at: 4, 4))
      let name = chunk.text(at: 0, 4)
      if name == "ID3 " || name == "id3 " { return offset + 8 }
      // What stands behind the samples of a file that is elsewhere comes when they have.
      if file.isRemote, name == "data" || name == "SSND" { return nil }
      if name == "ds64" { large = Int64(clamping: chunk.little(at: 16, 8)) }
      if name == "data", size == 0xFFFF_FFFF { size = large }
      guard size >= 0, size < file.size else { return nil }
      offset += 8 + size + size % 2
    }
    return nil
  }
}
