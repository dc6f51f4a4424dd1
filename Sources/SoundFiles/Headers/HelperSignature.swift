// SPDX-License-Identifier: Apache-2.0

/// First bytes of the files that libav decodes in a process of its own.
enum HelperSignature {
  static let mpeg4 = "MPEG-4"
  static let matroska = "Matroska"
  static let asf = "ASF"
  /// Frames without a container, at the end of which is nothing to be looked for.
  static let bareKinds: Set = ["AAC", "AC-3", "DTS"]
  /// Those that have ID3v2 in front, or APE tags behind.
  static let taggedKinds: Set = [
    "Monkey's Audio", "WavPack", "True Audio", "Musepack", "TAK",
  ]

  /// Returns the kind of file, for people, whose first 64 bytes are `head`; nil where they say nothing.
  static func kind(of head: [UInt8]) -> String? {
    // Files of before 2003 begin with another atom than "ftyp".
    if ["ftyp", "moov", "mdat", "wide", "free", "skip", "styp"].contains(head.text(at: 4, 4)) {
      return mpeg4
    }
    return starts.first { head.starts(with: $0.bytes) }?.kind
  }

  private static let starts: [(bytes: [UInt8], kind: String)] = [
    ([0x1A, 0x45, 0xDF, 0xA3], matroska),
    ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], asf),
    (Array("MAC ".utf8), "Monkey's Audio"), (Array("wvpk".utf8), "WavPack"),
    (Array("TTA1".utf8), "True Audio"), (Array("MPCK".utf8), "Musepack"),
    (Array("MP+".utf8), "Musepack"), (Array("tBaK".utf8), "TAK"), (Array("DSD ".utf8), "DSD"),
    (Array("FRM8".utf8), "DSD"), (Array("#!AMR".utf8), "AMR"), (Array(".snd".utf8), "AU"),
    ([0x7F, 0xFE, 0x80, 0x01], "DTS"), ([0xFE, 0x7F, 0x01, 0x80], "DTS"),
    ([0x00, 0x00, 0x01, 0xBA], "MPEG-PS"), (Array("FLV".utf8), "FLV"),
  ]

  /// Returns the kind of file whose audio begins behind tags at `start`; nil where it is none of these.
  static func kind(of file: RegularFile, behind start: Int64) throws(SoundFileError) -> String? {
    let head = try file.bytes(at: start, count: 64)
    if let kind = starts.first(where: { head.starts(with: $0.bytes) })?.kind { return kind }
    if try hasFrames(file, at: start, length: adtsLength) { return "AAC" }
    if try hasFrames(file, at: start, length: loasLength) { return "AAC" }
    if try hasFrames(file, at: start, length: ac3Length) { return "AC-3" }
    if try isTransportStream(file, at: start) { return "MPEG-TS" }
    return nil
  }

  /// Tells whether ADTS begins within 8 kB, as where a broadcast was recorded from the middle of a frame on.
  static func hasADTS(_ file: RegularFile, near start: Int64) throws(SoundFileError) -> Bool {
    let head = try file.bytes(at: start, count: 8_192)
    for i in head.indices where head[i] == 0xFF {
      if try hasFrames(file, at: start + Int64(i), length: adtsLength) { return true }
    }
    return false
  }

  /// Tells whether AAC that begins with `bytes` has neither ADTS nor LOAS, in which packets have their lengths.
  static func isBareAAC(_ bytes: [UInt8]) -> Bool {
    adtsLength(bytes) == nil && loasLength(bytes) == nil
  }

  /// Tells whether frames follow each other, 4 of them, or up to the end of the file or a tag there.
  private static func hasFrames(
    _ file: RegularFile, at start: Int64, length: ([UInt8]) -> Int?
  ) throws(SoundFileError) -> Bool {
    var place = start
    for count in 0..<4 {
      if count > 0, place == file.size { return true }
      if count > 0, try MPEGStream.isTag(at: place, in: file) { return true }
      guard let step = length(try file.bytes(at: place, count: 8)) else { return false }
      place += Int64(step)
    }
    return true
  }

  /// Of an ADTS frame: layer 0, a sample rate that there is, and the length in 13 bits.
  private static func adtsLength(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0, bytes[2] >> 2 & 15 < 13
    else { return nil }
    let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
    return length > 7 ? length : nil
  }

  /// Of a frame of LATM in LOAS (ISO/IEC 14496-3 §1.7.2): 11 bits that are always the same, and the length in 13.
  private static func loasLength(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 3, bytes[0] == 0x56, bytes[1] & 0xE0 == 0xE0 else { return nil }
    let length = Int(bytes[1] & 0x1F) << 8 | Int(bytes[2])
    return length > 0 ? length + 3 : nil
  }

  /// Of an AC-3 or E-AC-3 frame (ATSC A/52 §5.3 and annex E).
  private static func ac3Length(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 6, bytes[0] == 0x0B, bytes[1] == 0x77 else { return nil }
    if bytes[5] >> 3 > 10 { return 2 * ((Int(bytes[2] & 7) << 8 | Int(bytes[3])) + 1) }
    let (rate, size) = (bytes[4] >> 6, Int(bytes[4] & 0x3F))
    let kilobits = [
      32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]
    guard rate < 3, size / 2 < kilobits.count else { return nil }
    let bits = kilobits[size / 2]
    return switch rate {
    case 0: 4 * bits
    case 1: 2 * (bits * 320 / 147 + size % 2)
    default: 6 * bits
    }
  }

  private static func isTransportStream(
    _ file: RegularFile, at start: Int64
  ) throws(SoundFileError) -> Bool {
    // Packets of a disc have four bytes in front.
    for (offset, size) in [(0, 188), (4, 192)] {
      var count = 0
      while count < 4,
        try file.bytes(at: start + Int64(offset + size * count), count: 1).first == 0x47
      {
        count += 1
      }
      if count == 4 { return true }
    }
    return false
  }
}
