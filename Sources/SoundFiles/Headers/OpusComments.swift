// SPDX-License-Identifier: Apache-2.0

/// The comment packet, the second of an Opus stream (RFC 7845 §5.2).
enum OpusComments {
  /// A picture may make the packet large; text stands in front of it as a rule.
  private static let limit = 1 << 20

  static func tags(of file: RegularFile, in link: Range<Int64>) throws(SoundFileError) -> Tags {
    guard let first = try OggPage(at: link.lowerBound, in: file) else { return Tags() }
    var packet: [UInt8] = []
    var offset = first.bytes.upperBound
    pages: while packet.count < limit, let page = try OggPage(at: offset, in: file) {
      offset = page.bytes.upperBound
      guard page.serial == first.serial else { continue }
      var end = 0
      var isDone = false
      for segment in page.lacing {
        end += Int(segment)
        if segment < 255 {
          isDone = true
          break
        }
      }
      packet += try file.bytes(at: page.body.lowerBound, count: end)
      if isDone { break pages }
    }
    guard packet.text(at: 0, 8) == "OpusTags" else { return Tags() }
    return Tags(vorbisComments: packet, from: 8)
  }
}
