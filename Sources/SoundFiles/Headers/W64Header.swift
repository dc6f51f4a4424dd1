// SPDX-License-Identifier: Apache-2.0

/// The chunks of Sony Wave64 files: GUIDs instead of names, 64-bit lengths that count themselves.
enum W64Header {
  /// "riff" and the rest of its GUID.
  static let riffGUID: [UInt8] = [
    0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
  ]

  /// `nil` where the format or the samples are not found; libsndfile then says why.
  static func parse(_ file: RegularFile) throws(SoundFileError) -> PCMHeader? {
    var header = PCMHeader()
    var isFormatRead = false
    var offset: Int64 = 40
    for _ in 0..<1000 {
      let chunk = try file.bytes(at: offset, count: 24)
      guard chunk.count == 24 else { return nil }
      let size = Int64(clamping: chunk.little(at: 16, 8))
      switch chunk.text(at: 0, 4) {
      case "fmt ":
        WaveHeader.readFormat(
          try file.bytes(at: offset + 24, count: 40), isBig: false, into: &header)
        isFormatRead = true
      case "data":
        guard isFormatRead else { return nil }
        header.dataOffset = offset + 24
        header.declaredBytes = max(size - 24, 0)
        return header
      default: break
      }
      guard size >= 24, size < file.size else { return nil }
      offset += (size + 7) & ~7
    }
    return nil
  }
}
