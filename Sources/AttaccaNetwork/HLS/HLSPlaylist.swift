// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// A playlist of HLS (RFC 8216), as far as sound needs it.
enum HLSPlaylist: Equatable {
  /// The same sound at several bit rates.
  case choices([Variant])
  case segments(Segments)

  struct Variant: Equatable {
    /// Bits a second, at most.
    var bandwidth: Int
    /// As it stands there.
    var place: String
    /// Nothing but sound in it, as far as it says.
    var isSoundAlone: Bool
  }

  struct Segments: Equatable {
    /// Seconds that no segment is longer than.
    var target = 10.0
    /// Number of the first segment.
    var firstNumber: Int64 = 0
    var list: [Segment] = []
    /// Nothing will be added.
    var isWhole = false
    /// True where what is there stays there.
    var keepsAll = false
    /// Number behind the last segment.
    var end: Int64 { firstNumber + Int64(list.count) }
  }

  struct Segment: Equatable {
    var place: String
    var seconds: Double
    var bytes: Range<Int64>?
    var key: Key?
    /// Header in front of it, if there is such a thing.
    var header: Header?
    /// It does not go on from the one before.
    var beginsAnew = false
    /// There is nothing there.
    var isGap = false
  }

  struct Header: Equatable {
    var place: String
    var bytes: Range<Int64>?
    var key: Key?
  }

  struct Key: Equatable {
    var place: String
    /// Nil for the number of the segment.
    var start: [UInt8]?
  }

  static let mostSegments = 50_000
  static let mostVariants = 200
  /// Bytes of a playlist.
  static let longest = 4 << 20

  /// Tells whether a text is one of HLS, and not a list of files.
  static func isOne(_ text: String) -> Bool {
    let tags = ["#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-STREAM-INF"]
    return text.split(whereSeparator: \.isNewline).contains { line in
      tags.contains { line.hasPrefix($0) }
    }
  }

  /// - Throws: `unsupported` for what cannot be played, `broken` for what is no playlist.
  init(_ text: String, name: String) throws(SoundFileError) {
    var parser = HLSParser(name: name)
    for line in text.split(whereSeparator: \.isNewline) { try parser.take(line) }
    self = try parser.playlist()
  }
}
