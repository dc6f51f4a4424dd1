// SPDX-License-Identifier: Apache-2.0

import CSndFile
import SampleBuffers

/// The chunks of RIFF, RIFX and RF64 WAVE files.
enum WaveHeader {
  /// `nil` where the format or the samples are not found; libsndfile then says why.
  static func parse(_ file: RegularFile) throws(SoundFileError) -> PCMHeader? {
    let head = try file.bytes(at: 0, count: 12)
    let isBig = head.text(at: 0, 4) == "RIFX"
    var header = PCMHeader()
    var size64: Int64?
    var offset: Int64 = 12
    var isFormatRead = false
    // Files with more chunks than this in front of their samples are attacks.
    for _ in 0..<1000 {
      let chunk = try file.bytes(at: offset, count: 8)
      guard chunk.count == 8 else { return nil }
      let size = Int64(isBig ? chunk.big(at: 4, 4) : chunk.little(at: 4, 4))
      switch chunk.text(at: 0, 4) {
      case "ds64":
        size64 = Int64(clamping: try file.bytes(at: offset + 16, count: 8).little(at: 0, 8))
      case "fmt ":
        readFormat(try file.bytes(at: offset + 8, count: 40), isBig: isBig, into: &header)
        isFormatRead = true
      case "data":
        guard isFormatRead else { return nil }
        header.dataOffset = offset + 8
        // 0xFFFFFFFF is what writers to a pipe leave, or a pointer to the 64-bit length.
        header.declaredBytes = size == 0xFFFF_FFFF ? size64 : size
        // What is elsewhere is not asked for its end: a length that it states is meant.
        header.isComplete =
          try file.isRemote
          ? size > 0 : reachesEnd(file, from: offset + 8 + size + size % 2, isBig: isBig)
        return header
      default: break
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// PCM, ADPCM of Microsoft and IMA, Float32, A-law, µ-law, GSM and NMS ADPCM.
  private static let libsndfileCodes: Set = [1, 2, 3, 6, 7, 0x11, 0x31, 0x38]

  /// AAC whose packets stand behind each other with nothing in front of them.
  static let bareAACCodes: Set = [0xFF, 0x4143, 0x706D, 0xA106]

  static func readFormat(_ bytes: [UInt8], isBig: Bool, into header: inout PCMHeader) {
    func field(_ offset: Int, _ size: Int) -> Int {
      Int(isBig ? bytes.big(at: offset, size) : bytes.little(at: offset, size))
    }
    var tag = field(0, 2)
    header.channelCount = field(2, 2)
    header.sampleRate = Double(field(4, 4))
    let bits = field(14, 2)
    header.layout = nil
    if tag == 0xFFFE {
      tag = field(24, 2)
      header.layout = ChannelLayout(waveMask: field(20, 4), channelCount: header.channelCount)
    }
    header.foreignCode = libsndfileCodes.contains(tag) ? nil : tag
    let subtype: Int? =
      switch (tag, bits) {
      case (1, 8): SF_FORMAT_PCM_U8
      case (1, 16): SF_FORMAT_PCM_16
      case (1, 24): SF_FORMAT_PCM_24
      case (1, 32): SF_FORMAT_PCM_32
      case (3, 32): SF_FORMAT_FLOAT
      case (3, 64): SF_FORMAT_DOUBLE
      case (6, 8): SF_FORMAT_ALAW
      case (7, 8): SF_FORMAT_ULAW
      default: nil
      }
    guard let subtype, header.channelCount > 0, field(12, 2) == header.channelCount * bits / 8
    else { return }
    header.bytesPerFrame = header.channelCount * bits / 8
    header.rawFormat = Int32(subtype) | Int32(isBig ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE)
  }

  /// Tells whether the chunks from `start` on end exactly with the file.
  private static func reachesEnd(
    _ file: RegularFile, from start: Int64, isBig: Bool
  ) throws(SoundFileError) -> Bool {
    var offset = start
    for _ in 0..<1000 where offset < file.size {
      let chunk = try file.bytes(at: offset, count: 8)
      guard chunk.count == 8, chunk[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else {
        return false
      }
      let size = Int64(isBig ? chunk.big(at: 4, 4) : chunk.little(at: 4, 4))
      offset += 8 + size + size % 2
    }
    // The last chunk's pad byte is often forgotten.
    return offset == file.size || offset == file.size + 1
  }
}
