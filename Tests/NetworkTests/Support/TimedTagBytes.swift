// SPDX-License-Identifier: Apache-2.0

/// Bytes of timed tags, as packagers write them.
enum TimedTagBytes {
  /// An ID3 tag of a title, behind the time that bare frames begin with; nil for none.
  static func id3(_ title: String, time: Int64? = nil) -> [UInt8] {
    var frames: [UInt8] = []
    if let time {
      let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
      frames += frame("PRIV", owner + big(time, 8))
    }
    frames += frame("TIT2", [3] + Array(title.utf8))
    return Array("ID3".utf8) + [4, 0, 0] + sevens(frames.count) + frames
  }

  private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + sevens(content.count) + [0, 0] + content
  }

  private static func sevens(_ size: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
  }

  private static func big(_ value: Int64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * Int64(size - 1 - $0))) }
  }

  /// An event message of MP4 at a time of 90,000 a second.
  static func event(_ tag: [UInt8], at time: Int64) -> [UInt8] {
    let content =
      [1, 0, 0, 0] + big(90_000, 4) + big(time, 8) + big(0, 8)
      + Array("https://aomedia.org/emsg/ID3".utf8) + [0, 0] + tag
    return big(Int64(content.count + 8), 4) + Array("emsg".utf8) + content
  }

  /// A transport stream's segment with `tags` behind its first table, each of one packet, which the table names.
  static func stream(_ segment: [UInt8], with tags: [(time: Int64, bytes: [UInt8])]) -> [UInt8] {
    var (result, mapPID, isIn): ([UInt8], Int?, Bool) = ([], nil, false)
    for start in stride(from: 0, to: segment.count, by: 188) {
      let packet = Array(segment[start..<start + 188])
      let pid = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
      if pid == 0 { mapPID = Int(packet[15] & 0x1F) << 8 | Int(packet[16]) }
      guard pid == mapPID else {
        result += packet
        continue
      }
      result += table(packet)
      if !isIn { for tag in tags { result += elementary(tag.time, tag.bytes) } }
      isIn = true
    }
    return result
  }

  private static let pid = 0x1F0

  /// A program map with the stream of tags in it, too.
  private static func table(_ packet: [UInt8]) -> [UInt8] {
    let length = Int(packet[6] & 0x0F) << 8 | Int(packet[7])
    var section = Array(packet[5..<(8 + length - 4)])
    section += [0x15, 0xE0 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0xF0, 0]
    let new = section.count - 3 + 4
    (section[1], section[2]) = (section[1] & 0xF0 | UInt8(new >> 8), UInt8(new & 0xFF))
    let checksum = section.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in
        value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
      }
    }
    let whole = packet[..<5] + section + big(Int64(checksum), 4)
    return whole + [UInt8](repeating: 0xFF, count: 188 - whole.count)
  }

  private static func elementary(_ time: Int64, _ tag: [UInt8]) -> [UInt8] {
    let stamp = [
      0x21 | time >> 29 & 0x0E, time >> 22 & 0xFF, 1 | time >> 14 & 0xFE, time >> 7 & 0xFF,
      1 | time << 1 & 0xFE,
    ].map(UInt8.init)
    let content: [UInt8] =
      [0, 0, 1, 0xBD] + big(Int64(tag.count + 8), 2) + [0x84, 0x80, 5] + stamp + tag
    let stuffing = 184 - content.count
    precondition(stuffing >= 2)
    return [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x30, UInt8(stuffing - 1), 0]
      + [UInt8](repeating: 0xFF, count: stuffing - 2) + content
  }
}
