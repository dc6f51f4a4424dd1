// SPDX-License-Identifier: Apache-2.0

/// The comments of the first stream of an Ogg file whose kind is known, in its second packet; FLAC may have pictures
/// in those that follow (RFC 9639 §10.1, RFC 7845 §5.2, Vorbis I §5).
struct OggComments {
  private let file: RegularFile
  private let serial: UInt32
  private let start: Int64
  private let kind: Kind

  private enum Kind { case opus, vorbis, flac }

  /// Bytes in which comments are looked for: a picture may make their packet large; text stands in front of it as a
  /// rule.
  private static let allowance: Int64 = 1 << 24
  /// The same where the bytes have to come first.
  private static let remoteAllowance: Int64 = 1 << 20
  /// The same for pictures, whose bytes are not read for that.
  private static let pictureAllowance: Int64 = 1 << 28

  /// nil where `link` begins with no stream that has comments.
  init?(of file: RegularFile, in link: Range<Int64>) throws(SoundFileError) {
    var offset = link.lowerBound
    while offset < link.upperBound, let page = try OggPage(at: offset, in: file), page.beginsStream
    {
      let head = try file.bytes(at: page.body.lowerBound, count: 8)
      offset = page.bytes.upperBound
      let kinds: [(String, Kind)] = [
        ("OpusHead", .opus), ("\u{1}vorbis", .vorbis), ("\u{7F}FLAC", .flac),
      ]
      guard let kind = kinds.first(where: { head.text(at: 0, $0.0.unicodeScalars.count) == $0.0 })
      else { continue }
      (self.file, serial, start, self.kind) = (file, page.serial, offset, kind.1)
      return
    }
    return nil
  }

  /// The comments of a link and what they say; neither where they cannot be read.
  static func found(
    in link: Range<Int64>, of file: RegularFile
  ) throws(SoundFileError) -> (OggComments?, FileMetadata) {
    try file.forDisplay(else: (nil, FileMetadata())) { () throws(SoundFileError) in
      let comments = try OggComments(of: file, in: link)
      return (comments, try comments?.metadata() ?? FileMetadata())
    }
  }

  func metadata() throws(SoundFileError) -> FileMetadata {
    let most = file.isRemote ? Self.remoteAllowance : Self.allowance
    var packets = OggPackets(of: serial, from: start, in: file, atMost: most)
    guard let packet = try packets.nextPacket(), let begin = try beginning(of: packet) else {
      return FileMetadata()
    }
    return FileMetadata(try VorbisComments(packet, from: begin))
  }

  func pictures() throws(SoundFileError) -> [Picture] {
    var packets = OggPackets(of: serial, from: start, in: file, atMost: Self.pictureAllowance)
    var all: [Picture] = []
    for _ in 0..<1_000 {
      guard let packet = try packets.nextPacket(), all.count < Picture.most else { break }
      if let begin = try beginning(of: packet) {
        all += try VorbisComments(packet, from: begin).pictures(in: packet)
      }
      guard kind == .flac else { break }
      let head = try packet.bytes(at: 0, count: 4 + FLACPicture.longestHead)
      guard let type = head.first else { break }
      if type & 0x7F == 6, let block = FLACPicture(Array(head.dropFirst(4)), of: packet.count - 4) {
        let begin = Int64(4 + block.headSize)
        let places = packet.places(begin..<begin + Int64(block.byteCount))
        if let picture = block.picture(.file(pieces: places, coding: .plain)) {
          all.append(picture)
        }
      }
      if type & 0x80 != 0 { break }
    }
    return all
  }

  /// Returns the place where the comments begin in a packet; nil where it holds none.
  private func beginning(of packet: FilePieces) throws(SoundFileError) -> Int64? {
    let head = try packet.bytes(at: 0, count: 8)
    switch kind {
    case .opus: return head.text(at: 0, 8) == "OpusTags" ? 8 : nil
    case .vorbis: return head.text(at: 0, 7) == "\u{3}vorbis" ? 7 : nil
    case .flac: return head.count == 8 && head[0] & 0x7F == 4 ? 4 : nil
    }
  }
}
