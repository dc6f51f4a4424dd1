// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// The header of one Ogg page, as in section 6 of RFC 3533.
///
/// The checksum is left to the decoder.
struct OggPage {
  /// The whole page, header first; may reach past the end of a file that is cut short.
  let bytes: Range<Int64>
  /// The packets' bytes.
  let body: Range<Int64>
  let serial: UInt32
  /// Counts the pages of a stream.
  let sequence: UInt32
  /// Codec time at the end of the page; -1 where no packet ends on it.
  let granule: Int64
  /// True where it begins with the rest of a packet.
  let isContinued: Bool
  let beginsStream: Bool
  let endsStream: Bool
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
    isContinued = head[5] & 1 != 0
    beginsStream = head[5] & 2 != 0
    endsStream = head[5] & 4 != 0
    granule = Int64(bitPattern: head.little(at: 6, 8))
    serial = UInt32(head.little(at: 14, 4))
    sequence = UInt32(head.little(at: 18, 4))
  }

  /// The bytes of a page that begins or goes on with a stream, and has one packet of less than 255
  /// bytes.
  static func bytes(
    of packet: [UInt8], serial: UInt32, sequence: UInt32, beginsStream: Bool, granule: Int64 = 0
  ) -> [UInt8] {
    require(packet.count < 255, "a packet of \(packet.count) bytes")
    func little(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var page = Array("OggS".utf8) + [0, beginsStream ? 2 : 0]
    page += (0..<8).map { UInt8(truncatingIfNeeded: granule >> (8 * $0)) }
    page += little(serial) + little(sequence) + [0, 0, 0, 0, 1, UInt8(packet.count)] + packet
    let sum = page.reduce(UInt32(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
        sum & 1 << 31 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
      }
    }
    page.replaceSubrange(22..<26, with: little(sum))
    return page
  }

  /// Packets that end on the page.
  var packetsEnding: Int { lacing.count { $0 < 255 } }

  /// The largest page there can be: 255 segments of 255 bytes and the header.
  static let longest: Int64 = 27 + 255 + 255 * 255
}
