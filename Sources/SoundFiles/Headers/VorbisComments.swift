// SPDX-License-Identifier: Apache-2.0

import CVorbisFile

extension Tags {
  /// The comments of a Vorbis stream, as libvorbis has read them.
  init(vorbis comment: UnsafeMutablePointer<vorbis_comment>?) {
    self.init()
    guard let comment = comment?.pointee else { return }
    for i in 0..<Int(comment.comments) {
      guard let text = comment.user_comments[i] else { continue }
      let length = Int(comment.comment_lengths[i])
      add(comment: UnsafeRawBufferPointer(start: text, count: length))
    }
  }

  /// A Vorbis comment block, as FLAC and Opus hold it too (Vorbis I §5.2.1); what is cut off at
  /// the end is left out.
  init(vorbisComments bytes: [UInt8], from start: Int) {
    self.init()
    var offset = start + 4 + Int(bytes.little(at: start, 4))
    let count = Int(bytes.little(at: offset, 4))
    offset += 4
    for _ in 0..<count {
      guard offset + 4 <= bytes.count else { return }
      let length = Int(bytes.little(at: offset, 4))
      offset += 4
      guard length <= bytes.count - offset else { return }
      add(comment: bytes[offset..<offset + length])
      offset += length
    }
  }

  /// "NAME=value"; a name may come again with another value.
  private mutating func add(comment bytes: some Collection<UInt8>) {
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")),
      let field = Self.field(named: String(tagBytes: bytes[..<equals]).uppercased())
    else { return }
    let value = String(tagBytes: bytes[bytes.index(after: equals)...])
    guard !value.isEmpty else { return }
    self[keyPath: field] = self[keyPath: field].map { "\($0); \(value)" } ?? value
  }

  private static func field(named name: String) -> WritableKeyPath<Tags, String?>? {
    switch name {
    case "TITLE": \.title
    case "ARTIST": \.artist
    case "ALBUM": \.album
    case "ALBUMARTIST", "ALBUM ARTIST": \.albumArtist
    case "COMPOSER": \.composer
    case "TRACKNUMBER": \.trackNumber
    case "DISCNUMBER": \.discNumber
    case "GENRE": \.genre
    case "DATE", "YEAR": \.date
    case "COMMENT", "DESCRIPTION": \.comment
    default: nil
    }
  }
}
