// SPDX-License-Identifier: Apache-2.0

/// The headers of one link of an Ogg file with FLAC in it, and its length (RFC 9639 §10.1).
struct OggFLACStream {
  /// The first page, with the length in its STREAMINFO: the library does not seek without.
  let head: [UInt8]
  /// Bytes that follow that page.
  let rest: Range<Int64>
  let info: FLACInfo
  /// Of the stream; there may be a film's beside it.
  let serial: UInt32
  /// Frames, by the last page; by the header, where that does not tell; nil where neither does.
  let frameCount: Int64?

  /// "\u{7F}FLAC", a version, a count of headers, "fLaC", and a block with the STREAMINFO.
  private static let packetBytes = 17 + FLACInfo.size

  /// `nil` where none of the streams that `link` begins with is FLAC.
  init?(of file: RegularFile, in link: Range<Int64>) throws(SoundFileError) {
    var offset = link.lowerBound
    while let page = try OggPage(at: offset, in: file), page.beginsStream,
      page.bytes.upperBound <= link.upperBound
    {
      offset = page.bytes.upperBound
      let packet = try file.bytes(at: page.body.lowerBound, count: Self.packetBytes)
      guard packet.text(at: 0, 5) == "\u{7F}FLAC", page.lacing == [UInt8(Self.packetBytes)],
        var info = FLACInfo(Array(packet.dropFirst(17)))
      else { continue }
      (serial, rest) = (page.serial, page.bytes.upperBound..<link.upperBound)
      let end =
        file.isSequential ? nil : try Self.lastGranule(of: page.serial, in: file, rest)
      frameCount = end ?? (info.frameCount > 0 ? info.frameCount : nil)
      info.frameCount = frameCount ?? 0
      self.info = info
      head = OggPage.bytes(
        of: Array(packet.prefix(17)) + info.bytes, serial: page.serial, sequence: page.sequence,
        beginsStream: true)
      return
    }
    return nil
  }

  /// Frames up to the end of the stream's last page that tells; `nil` where none does in the last 128 kB.
  private static func lastGranule(
    of serial: UInt32, in file: RegularFile, _ range: Range<Int64>
  ) throws(SoundFileError) -> Int64? {
    let start = max(range.lowerBound, range.upperBound - 2 * OggPage.longest)
    let tail = try file.bytes(at: start, count: Int(range.upperBound - start))
    for i in tail.indices.reversed()
    where tail[i] == UInt8(ascii: "O") && tail.text(at: i, 4) == "OggS" {
      let head = Array(tail[i...].prefix(27 + 255))
      guard let page = OggPage(head, at: start + Int64(i)), page.serial == serial,
        page.bytes.upperBound <= range.upperBound, page.granule > 0, page.granule < 1 << 36
      else { continue }
      return page.granule
    }
    return nil
  }
}
