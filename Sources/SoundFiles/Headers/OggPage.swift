// SPDX-License-Identifier: Apache-2.0

/// The header of one Ogg page, as in section 6 of RFC 3533.
///
/// The checksum is left to the decoder.
struct OggPage {
  /// The whole page, header first; may reach past the end of a file that is cut short.
  let bytes: Range<Int64>
  /// The packets' bytes.
  let body: Range<Int64>
  let serial: UInt32
  /// Codec time at the end of the page; -1 where no packet ends on it.
  let granule: Int64
  let beginsStream: Bool
  /// Segment lengths: 255 goes on, less ends a packet.
  let lacing: [UInt8]

  /// The page that begins at `offset`; `nil` where none does.
  init?(at offset: Int64, in file: RegularFile) throws(SoundFileError) {
    self.init(try file.bytes(at: offset, count: 27 + 255), at: offset)
  }

  /// The page whose header is at the start of `head`, from `offset` in the file.
  init?(_ head: [UInt8], at offset: Int64) {
    guard head.count >= 27, head.text(at: 0, 4) == "OggS", head[4] == 0 else { return nil }
    let segments = Int(head[26])
    guard head.count >= 27 + segments else { return nil }
    lacing = Array(head[27..<27 + segments])
    let length = lacing.reduce(Int64(0)) { $0 + Int64($1) }
    body = offset + 27 + Int64(segments)..<offset + 27 + Int64(segments) + length
    bytes = offset..<body.upperBound
    beginsStream = head[5] & 2 != 0
    granule = Int64(bitPattern: head.little(at: 6, 8))
    serial = UInt32(head.little(at: 14, 4))
  }

  /// The largest page there can be: 255 segments of 255 bytes and the header.
  static let longest: Int64 = 27 + 255 + 255 * 255
}
