// SPDX-License-Identifier: Apache-2.0

/// The timed tags of an MPEG transport stream, and the time at which its sound begins (ISO 13818-1).
///
/// Nothing of what is wrong in it is an error: that is for who decodes the sound.
struct TransportStream {
  /// Tags with their times, in 1/90,000 s.
  private(set) var tags: [(time: Int64, bytes: [UInt8])] = []
  /// Time of the first packet of sound; nil without one.
  private(set) var firstSound: Int64?

  private static let packet = 188
  /// Bytes of a tag.
  private static let longest = 1 << 18
  private static let soundTypes: Set<UInt8> = [0x03, 0x04, 0x0F, 0x11, 0x81, 0x87]

  private var mapPID: Int?
  private var soundPID: Int?
  private var tagPID: Int?
  /// Bytes of the packet of a tag that has begun.
  private var open: [UInt8] = []

  /// Tells whether a segment is such a stream.
  static func isOne(_ bytes: [UInt8]) -> Bool {
    bytes.count >= packet && bytes[0] == 0x47
      && (bytes.count < packet + 1 || bytes[packet] == 0x47)
  }

  /// Reads a whole segment.
  mutating func read(_ bytes: [UInt8]) {
    var place = 0
    while place + Self.packet <= bytes.count, tags.count < TimedTagReader.most {
      guard bytes[place] == 0x47 else { break }
      read(bytes[place..<place + Self.packet])
      place += Self.packet
    }
    close()
  }

  private mutating func read(_ packet: ArraySlice<UInt8>) {
    let start = packet.startIndex
    let begins = packet[start + 1] & 0x40 != 0
    let pid = Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2])
    var payload = start + 4
    if packet[start + 3] & 0x20 != 0 { payload += 1 + Int(packet[start + 4]) }
    guard packet[start + 3] & 0x10 != 0, payload < packet.endIndex else { return }
    let rest = packet[payload...]
    switch pid {
    case 0: if begins, mapPID == nil { mapPID = Self.mapPID(in: Self.section(rest)) }
    case mapPID: if begins, soundPID == nil { readMap(Self.section(rest)) }
    case soundPID: if begins, firstSound == nil { firstSound = Self.content(of: rest)?.time }
    case tagPID:
      if begins {
        close()
        open = Array(rest)
      } else if !open.isEmpty, open.count < Self.longest {
        open += rest
      }
    default: break
    }
  }

  private mutating func close() {
    defer { open = [] }
    guard !open.isEmpty, let (time, bytes) = Self.content(of: open[...]), let time else { return }
    tags.append((time, Array(bytes)))
  }

  /// The section of a table that begins in a packet, without its checksum; empty where it does not end there.
  private static func section(_ payload: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let pointer = payload.first else { return [] }
    let start = payload.startIndex + 1 + Int(pointer)
    guard start + 3 <= payload.endIndex else { return [] }
    let length = Int(payload[start + 1] & 0x0F) << 8 | Int(payload[start + 2])
    let end = start + 3 + length - 4
    guard end > start + 8, end <= payload.endIndex else { return [] }
    return payload[start..<end]
  }

  private static func mapPID(in section: ArraySlice<UInt8>) -> Int? {
    var place = section.startIndex + 8
    while place + 4 <= section.endIndex {
      let program = Int(section[place]) << 8 | Int(section[place + 1])
      let pid = Int(section[place + 2] & 0x1F) << 8 | Int(section[place + 3])
      // Number 0 is the network's table.
      if program != 0 { return pid }
      place += 4
    }
    return nil
  }

  private mutating func readMap(_ section: ArraySlice<UInt8>) {
    guard section.count >= 12 else { return }
    let start = section.startIndex
    var place = start + 12 + (Int(section[start + 10] & 0x0F) << 8 | Int(section[start + 11]))
    while place + 5 <= section.endIndex {
      let (type, pid) = (
        section[place], Int(section[place + 1] & 0x1F) << 8 | Int(section[place + 2])
      )
      if Self.soundTypes.contains(type), soundPID == nil { soundPID = pid }
      if type == 0x15, tagPID == nil { tagPID = pid }
      place += 5 + (Int(section[place + 3] & 0x0F) << 8 | Int(section[place + 4]))
    }
  }

  /// The time and the content of a packetized elementary stream's packet; nil for what is none.
  private static func content(
    of packet: ArraySlice<UInt8>
  ) -> (time: Int64?, bytes: ArraySlice<UInt8>)? {
    let start = packet.startIndex
    guard packet.count >= 9, packet[start] == 0, packet[start + 1] == 0, packet[start + 2] == 1,
      packet[start + 6] & 0xC0 == 0x80
    else { return nil }
    let begin = start + 9 + Int(packet[start + 8])
    guard begin <= packet.endIndex else { return nil }
    let length = Int(packet[start + 4]) << 8 | Int(packet[start + 5])
    let end = length == 0 ? packet.endIndex : min(packet.endIndex, start + 6 + length)
    guard end >= begin else { return nil }
    var time: Int64?
    if packet[start + 7] & 0x80 != 0, begin >= start + 14 {
      let stamp = packet[(start + 9)..<(start + 14)].map(Int64.init)
      time =
        (stamp[0] >> 1 & 7) << 30 | stamp[1] << 22 | (stamp[2] >> 1) << 15 | stamp[3] << 7
        | stamp[4] >> 1
    }
    return (time, packet[begin..<end])
  }
}
