// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// The chunks of Core Audio Format files.
enum CAFHeader {
  /// `nil` where the format or the samples are not found; libsndfile then says why.
  static func parse(_ file: RegularFile) throws(SoundFileError) -> PCMHeader? {
    var header = PCMHeader()
    var offset: Int64 = 8
    for _ in 0..<1000 {
      let chunk = try file.bytes(at: offset, count: 12)
      guard chunk.count == 12 else { break }
      let size = Int64(bitPattern: chunk.big(at: 4, 8))
      switch chunk.text(at: 0, 4) {
      // libsndfile looks at no other, and for this one nowhere else.
      case "desc" where offset == 8:
        readFormat(try file.bytes(at: offset + 12, count: 32), into: &header)
      case "chan":
        let map = try file.bytes(at: offset + 12, count: 4)
        header.layout =
          LayoutTag.layout(map.big(at: 0, 4), channelCount: header.channelCount) ?? header.layout
      case "data":
        // Four bytes count the edits; a size of -1 means "up to the end of the file".
        header.dataOffset = offset + 16
        header.declaredBytes = size < 0 ? nil : max(size - 4, 0)
      default: break
      }
      if file.isRemote, header.dataOffset > 0 { break }
      guard size >= 0, size < file.size else { break }
      offset += 12 + size
    }
    guard header.channelCount > 0, header.dataOffset > 0 else { return nil }
    return header
  }

  private static func readFormat(_ bytes: [UInt8], into header: inout PCMHeader) {
    header.sampleRate = Double(bitPattern: bytes.big(at: 0, 8))
    header.channelCount = Int(bytes.big(at: 24, 4))
    let flags = bytes.big(at: 12, 4)
    let bits = Int(bytes.big(at: 28, 4))
    guard bytes.text(at: 8, 4) == "lpcm", bits > 0 else { return }
    let isFloat = flags & 1 != 0
    let subtype: Int? =
      switch (isFloat, bits) {
      case (false, 8): SF_FORMAT_PCM_S8
      case (false, 16): SF_FORMAT_PCM_16
      case (false, 24): SF_FORMAT_PCM_24
      case (false, 32): SF_FORMAT_PCM_32
      case (true, 32): SF_FORMAT_FLOAT
      case (true, 64): SF_FORMAT_DOUBLE
      default: nil
      }
    guard let subtype, header.channelCount <= 8 else { return }
    header.bytesPerFrame = header.channelCount * bits / 8
    header.rawFormat = Int32(subtype) | Int32(flags & 2 != 0 ? SF_ENDIAN_LITTLE : SF_ENDIAN_BIG)
  }
}
