// SPDX-License-Identifier: Apache-2.0

/// The Vorbis comments among a FLAC file's metadata blocks (RFC 9639 §8).
enum FLACComments {
  static func tags(of file: RegularFile, from start: Int64) throws(SoundFileError) -> Tags {
    guard try file.bytes(at: start, count: 4).text(at: 0, 4) == "fLaC" else { return Tags() }
    var offset = start + 4
    for _ in 0..<1000 {
      let head = try file.bytes(at: offset, count: 4)
      guard head.count == 4 else { break }
      let size = Int(head.big(at: 1, 3))
      if head[0] & 0x7F == 4 {
        return Tags(vorbisComments: try file.bytes(at: offset + 4, count: size), from: 0)
      }
      if head[0] & 0x80 != 0 { break }
      offset += 4 + Int64(size)
    }
    return Tags()
  }
}
