// SPDX-License-Identifier: Apache-2.0

/// The audio of one Ogg Opus stream (RFC 7845): where it begins, and where to begin to decode for a
/// place in it.
struct OpusStream {
  /// The first page behind those of the two header packets.
  let audio: Int64
  /// The encoder's delay, at 48 kHz as all times of Opus.
  let preskip: Int64
  /// The time at which the first packet begins; not 0 where a beginning was cut off.
  let startGranule: Int64

  private let file: RegularFile
  /// End of the stream.
  private let end: Int64
  private let serial: UInt32
  private let head: [UInt8]

  /// `nil` where the headers or the first packet are not found.
  init?(of file: RegularFile, in window: Range<Int64>) throws(SoundFileError) {
    guard let first = try OggPage(at: window.lowerBound, in: file) else { return nil }
    let head = try file.bytes(at: first.body.lowerBound, count: first.body.count)
    // One of 8 channels has 29 bytes.
    guard head.text(at: 0, 8) == "OpusHead", (19..<255).contains(head.count) else { return nil }
    var offset = first.bytes.upperBound
    var areTagsRead = false
    // A picture of many megabytes in the tags takes a thousand pages.
    for _ in 0..<10_000 where !areTagsRead {
      guard let page = try OggPage(at: offset, in: file) else { return nil }
      offset = page.bytes.upperBound
      areTagsRead = page.serial == first.serial && page.packetsEnding > 0
    }
    guard areTagsRead, offset < window.upperBound,
      let page = try OggPage(at: offset, in: file), page.granule < 1 << 60
    else { return nil }
    (self.file, end, serial, self.head) = (file, window.upperBound, first.serial, head)
    audio = offset
    preskip = Int64(head.little(at: 10, 2))
    // A last page may end before its packets do, and then begins at 0.
    startGranule = max(0, max(page.granule, 0) - (try Self.duration(of: page, in: file)))
  }

  /// Headers to be shown to a decoder in front of the page at `entry`: without tags, and without a
  /// delay to be left out.
  func headers(before entry: Int64) throws(SoundFileError) -> [UInt8] {
    let sequence = try OggPage(at: entry, in: file)?.sequence ?? 2
    var packet = head
    packet.replaceSubrange(10..<12, with: [0, 0])
    // No vendor, no comments.
    let tags = Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)
    return OggPage.bytes(
      of: packet, serial: serial, sequence: sequence &- 2, beginsStream: true)
      + OggPage.bytes(of: tags, serial: serial, sequence: sequence &- 1, beginsStream: false)
  }

  /// Bytes at an end that is never read up to: a last page, as far behind as one is looked for.
  var unreachedEnd: [UInt8] {
    let page = OggPage.bytes(
      of: [0], serial: serial, sequence: 1 << 30, beginsStream: false,
      granule: startGranule + 1 << 50)
    return [UInt8](repeating: 0, count: (1 << 17) - page.count) + page
  }

  /// The time that the packets of a page last.
  private static func duration(
    of page: OggPage, in file: RegularFile
  ) throws(SoundFileError) -> Int64 {
    let body = try file.bytes(at: page.body.lowerBound, count: page.body.count)
    var (sum, start, length) = (Int64(0), 0, 0)
    for segment in page.lacing {
      length += Int(segment)
      guard segment < 255 else { continue }
      sum += duration(ofPacket: Array(body.dropFirst(start).prefix(min(length, 2))))
      (start, length) = (start + length, 0)
    }
    return sum
  }

  /// As the first byte tells, and the second where that refers to it (RFC 6716 §3.1); 0 for what is
  /// no packet, or longer than 120 ms.
  private static func duration(ofPacket packet: [UInt8]) -> Int64 {
    guard let code = packet.first, code & 3 != 3 || packet.count > 1 else { return 0 }
    let configuration = Int(code >> 3)
    let frame: Int64 =
      switch configuration {
      case 0..<12: [480, 960, 1920, 2880][configuration % 4]
      case 12..<16: [480, 960][configuration % 2]
      default: [120, 240, 480, 960][configuration % 4]
      }
    let count = code & 3 == 0 ? 1 : code & 3 == 3 ? Int64(packet[1] & 63) : 2
    return frame * count <= 5760 ? frame * count : 0
  }

  /// A page behind the headers that begins at `granule` or earlier, the last such where times rise.
  ///
  /// Never the last page of the stream: of that alone libsndfile cannot tell where it begins.
  ///
  /// - Returns: its place; `nil` where decoding must begin with the first page.
  func entry(before granule: Int64) throws(SoundFileError) -> Int64? {
    var limit = granule
    for _ in 0..<8 where limit > startGranule {
      let (low, time) = try bisect(for: limit)
      if let entry = try lastEntry(before: limit, from: low) { return entry }
      limit = min(limit, time) - 1
    }
    return nil
  }

  /// The end of a page that ends at `granule` or earlier, less than two pages before the last such,
  /// and its time.
  private func bisect(
    for granule: Int64
  ) throws(SoundFileError) -> (offset: Int64, granule: Int64) {
    var (low, time) = (audio, startGranule)
    var high = end
    while high - low > 2 * OggPage.longest {
      let middle = low + (high - low) / 2
      if let page = try timedPage(from: middle, to: high), page.granule <= granule {
        (low, time) = (page.bytes.upperBound, page.granule)
      } else {
        high = middle
      }
    }
    return (low, time)
  }

  /// The first page with a time that begins in the range.
  private func timedPage(from start: Int64, to high: Int64) throws(SoundFileError) -> OggPage? {
    let bytes = try file.bytes(at: start, count: Int(OggPage.longest))
    for i in bytes.indices where bytes[i] == UInt8(ascii: "O") && bytes.text(at: i, 4) == "OggS" {
      var page = try OggPage(at: start + Int64(i), in: file)
      while let found = page, found.bytes.lowerBound < min(high, start + 2 * OggPage.longest) {
        if found.serial == serial, found.granule >= 0 { return found }
        page = try OggPage(at: found.bytes.upperBound, in: file)
      }
    }
    return nil
  }

  private func lastEntry(
    before granule: Int64, from low: Int64
  ) throws(SoundFileError) -> Int64? {
    var entry: Int64?
    var offset = low
    while offset < min(end, low + 4 * OggPage.longest),
      let page = try OggPage(at: offset, in: file)
    {
      if page.serial == serial {
        // What is left of a packet that began on the page before does not count.
        let packets = page.packetsEnding - (page.isContinued ? 1 : 0)
        if offset > audio, !page.endsStream, packets > 0 { entry = offset }
        if page.granule > granule { break }
      }
      offset = page.bytes.upperBound
    }
    return entry
  }
}
