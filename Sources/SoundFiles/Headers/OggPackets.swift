// SPDX-License-Identifier: Apache-2.0

/// The packets of one stream of an Ogg file, from a page on: the headers of pages are read, not what is in
/// the packets.
struct OggPackets {
  private let file: RegularFile
  private let serial: UInt32
  /// Bytes of the longest packet, and of all of them.
  private var allowance: Int64
  /// The page that is looked at, and its segments that are left.
  private var lacing: ArraySlice<UInt8> = []
  private var place: Int64 = 0
  private var next: Int64

  init(of serial: UInt32, from offset: Int64, in file: RegularFile, atMost allowance: Int64) {
    (self.file, self.serial, next, self.allowance) = (file, serial, offset, allowance)
  }

  /// The next packet; a longer one than is allowed is cut off there, and is the last.
  ///
  /// - Returns: nil at the end.
  mutating func nextPacket() throws(SoundFileError) -> FilePieces? {
    var packet = FilePieces(of: file)
    // Pages of other streams may lie between.
    for _ in 0..<100_000 where allowance > 0 {
      if lacing.isEmpty {
        guard let page = try OggPage(at: next, in: file) else { break }
        next = page.bytes.upperBound
        guard page.serial == serial else { continue }
        (lacing, place) = (page.lacing[...], page.body.lowerBound)
      }
      let whole = lacing.prefix { $0 == 255 }.count
      let last = lacing.dropFirst(whole).first
      let size = Int64(whole * 255) + Int64(last ?? 0)
      packet.append(place..<place + min(size, allowance))
      allowance -= size
      place += size
      lacing = lacing.dropFirst(whole + (last == nil ? 0 : 1))
      if last != nil { return packet }
    }
    return packet.count > 0 ? packet : nil
  }
}
