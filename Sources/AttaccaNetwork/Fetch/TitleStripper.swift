// SPDX-License-Identifier: Apache-2.0

/// Takes the titles out of a Shoutcast stream, which stand in it after every so many bytes of sound.
struct TitleStripper {
  private enum Place {
    /// So many bytes of sound follow.
    case sound(Int)
    case length
    /// So many bytes of a title follow.
    case title(Int)
  }

  private let interval: Int
  private var place: Place
  private var title: [UInt8] = []
  /// The title that was told last.
  private var last: String?

  /// A stream with `interval` bytes of sound between titles.
  init(interval: Int) { (self.interval, place) = (interval, .sound(interval)) }

  /// Gives the sound in `bytes` to `sound`, piece by piece, and a title that has changed to `changed`, in order.
  mutating func strip(
    _ bytes: UnsafeRawBufferPointer, sound: (UnsafeRawBufferPointer) -> Void,
    changed: (String) -> Void
  ) {
    var rest = bytes[...]
    while let first = rest.first {
      switch place {
      case .sound(let count):
        let piece = rest.prefix(count)
        sound(UnsafeRawBufferPointer(rebasing: piece))
        rest = rest.dropFirst(piece.count)
        place = piece.count == count ? .length : .sound(count - piece.count)
      case .length:
        rest = rest.dropFirst()
        // Up to 4,080 bytes; none where nothing has changed.
        place = first == 0 ? .sound(interval) : .title(16 * Int(first))
        title = []
      case .title(let count):
        let piece = rest.prefix(count)
        title += piece
        rest = rest.dropFirst(piece.count)
        place = piece.count == count ? .sound(interval) : .title(count - piece.count)
        if piece.count == count, let text = Self.text(of: title), text != last {
          last = text
          changed(text)
        }
      }
    }
  }

  /// The title in "StreamTitle='…';": quotes in it are not escaped, so that it ends with the first "';".
  static func text(of block: [UInt8]) -> String? {
    let name = Array("StreamTitle='".utf8)
    guard let start = block.indices.first(where: { block[$0...].starts(with: name) }) else {
      return nil
    }
    let rest = block[(start + name.count)...]
    let end =
      rest.indices.first { rest[$0...].starts(with: "';".utf8) }
      ?? rest.lastIndex(of: UInt8(ascii: "'")) ?? rest.endIndex
    let bytes = rest[..<end].filter { $0 != 0 }
    // Old encoders send Latin-1, and nothing says which.
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
