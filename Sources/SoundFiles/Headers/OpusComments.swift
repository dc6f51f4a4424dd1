// SPDX-License-Identifier: Apache-2.0

/// The comment packet, the second of an Opus stream (RFC 7845 §5.2).
enum OpusComments {
  static func tags(of file: RegularFile, in link: Range<Int64>) throws(SoundFileError) -> Tags {
    guard let first = try OggPage(at: link.lowerBound, in: file) else { return Tags() }
    let packet = try OggPage.packet(of: first.serial, from: first.bytes.upperBound, in: file)
    guard packet.text(at: 0, 8) == "OpusTags" else { return Tags() }
    return Tags(vorbisComments: packet, from: 8)
  }
}
