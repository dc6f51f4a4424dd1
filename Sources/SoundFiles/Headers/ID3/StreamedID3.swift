// SPDX-License-Identifier: Apache-2.0

/// A tag of ID3v2 in the midst of a stream, as HLS has it.
package struct StreamedID3 {
  /// The texts in it.
  package let tags: Tags
  /// Time of what follows it, in 1/90,000 s; nil where it tells none.
  package let time: Int64?
  /// Bytes of it, its footer among them.
  package let size: Int

  private static let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]

  /// nil where the bytes begin with no such tag.
  package init?(_ bytes: [UInt8]) {
    do throws(SoundFileError) {
      let file = try RegularFile(bytes, name: "ID3")
      guard let tag = try ID3Tag(at: 0, in: file) else { return nil }
      tags = try tag.metadata().tags
      size = Int(tag.range.upperBound)
      time = try Self.time(in: tag)
    } catch {
      // Bytes in memory are always there: what is wrong is the tag.
      return nil
    }
  }

  /// The time that packed audio begins with (RFC 8216 §3.4): 33 bits in eight bytes.
  private static func time(in tag: ID3Tag) throws(SoundFileError) -> Int64? {
    for frame in try tag.frames() where frame.id == "PRIV" {
      let range = frame.content.range
      guard range.count == owner.count + 8 else { continue }
      let content = try frame.content.bytes(at: range.lowerBound, count: range.count)
      guard content.starts(with: owner) else { continue }
      return Int64(content.big(at: owner.count, 8) & 0x1_FFFF_FFFF)
    }
    return nil
  }
}
