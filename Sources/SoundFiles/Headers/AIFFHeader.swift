// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// The chunks of AIFF and AIFF-C files.
enum AIFFHeader {
  /// `nil` where the format or the samples are not found; libsndfile then says why.
  static func parse(_ file: RegularFile) throws(SoundFileError) -> PCMHeader? {
    var header = PCMHeader()
    let isCompressed = try file.bytes(at: 8, count: 4).text(at: 0, 4) == "AIFC"
    var declaredFrames: Int64?
    var offset: Int64 = 12
    for _ in 0..<1000 {
      let chunk = try file.bytes(at: offset, count: 16)
      guard chunk.count >= 8 else { break }
      let size = Int64(chunk.big(at: 4, 4))
      switch chunk.text(at: 0, 4) {
      case "COMM":
        let common = try file.bytes(at: offset + 8, count: 22)
        declaredFrames = Int64(common.big(at: 2, 4))
        readFormat(common, isCompressed: isCompressed, into: &header)
      case "SSND":
        header.dataOffset = offset + 16 + Int64(chunk.big(at: 8, 4))
      case "CHAN":
        let map = try file.bytes(at: offset + 8, count: 12)
        header.layout =
          LayoutTag.layout(map.big(at: 0, 4), channelCount: header.channelCount) ?? header.layout
      default: break
      }
      if file.isRemote, header.channelCount > 0, header.dataOffset > 0 { break }
      offset += 8 + size + size % 2
    }
    guard header.channelCount > 0, header.dataOffset > 0 else { return nil }
    header.declaredBytes = declaredFrames.flatMap { frames in
      header.bytesPerFrame.map { frames * Int64($0) }
    }
    return header
  }

  private static func readFormat(
    _ common: [UInt8], isCompressed: Bool, into header: inout PCMHeader
  ) {
    header.channelCount = Int(common.big(at: 0, 2))
    header.sampleRate = extended(common)
    let code = isCompressed ? common.text(at: 18, 4) : "NONE"
    let isLittle = code == "sowt"
    let subtype: Int? =
      switch (code, (common.big(at: 6, 2) + 7) / 8) {
      case ("NONE", 1), ("twos", 1): SF_FORMAT_PCM_S8
      case ("NONE", 2), ("twos", 2), ("sowt", 2): SF_FORMAT_PCM_16
      case ("NONE", 3), ("twos", 3), ("sowt", 3): SF_FORMAT_PCM_24
      case ("NONE", 4), ("twos", 4), ("sowt", 4): SF_FORMAT_PCM_32
      case ("fl32", _), ("FL32", _): SF_FORMAT_FLOAT
      case ("fl64", _), ("FL64", _): SF_FORMAT_DOUBLE
      default: nil
      }
    guard let subtype else { return }
    let bytes =
      switch subtype {
      case SF_FORMAT_FLOAT: 4
      case SF_FORMAT_DOUBLE: 8
      default: Int((common.big(at: 6, 2) + 7) / 8)
      }
    header.bytesPerFrame = header.channelCount * bytes
    header.rawFormat = Int32(subtype) | Int32(isLittle ? SF_ENDIAN_LITTLE : SF_ENDIAN_BIG)
  }

  /// The rate: an 80-bit float of the 68881.
  private static func extended(_ common: [UInt8]) -> Double {
    let exponent = Int(common.big(at: 8, 2) & 0x7FFF) - 16383 - 63
    guard common.big(at: 8, 2) & 0x8000 == 0, exponent < 64 else { return .infinity }
    return Double(sign: .plus, exponent: exponent, significand: Double(common.big(at: 10, 8)))
  }
}
