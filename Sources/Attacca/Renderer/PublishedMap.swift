// SPDX-License-Identifier: Apache-2.0

/// A renderer's map as any thread can read it, without a lock that the output takes.
final class PublishedMap: Sendable {
  private static let wordsPerPiece = 4
  private let words = SeqLock(count: 1 + PublishedMap.wordsPerPiece * RenderMap.capacity)

  init() { publish(RenderMap(media: 0, rate: 1)) }

  /// Writers hold the output's lock.
  func publish(_ map: RenderMap) {
    words.write { i in
      if i == 0 { return UInt64(map.count) }
      let piece = map.pieces[(i - 1) / Self.wordsPerPiece]
      switch (i - 1) % Self.wordsPerPiece {
      case 0: return UInt64(bitPattern: piece.stream)
      case 1: return UInt64(bitPattern: piece.media)
      case 2: return UInt64(piece.rate)
      default: return UInt64(piece.traversal) << 1 | (piece.isRunning ? 1 : 0)
      }
    }
  }

  /// The map last published.
  func read() -> RenderMap {
    var values = InlineArray<33, UInt64>(repeating: 0)
    words.read { values[$0] = $1 }
    var map = RenderMap(media: 0, rate: 1)
    map.restore(count: Int(values[0])) { i in
      let first = 1 + Self.wordsPerPiece * i
      return RenderMap.Piece(
        stream: Int64(bitPattern: values[first]), media: Int64(bitPattern: values[first + 1]),
        rate: Int(values[first + 2]), isRunning: values[first + 3] & 1 == 1,
        traversal: Int(values[first + 3] >> 1))
    }
    return map
  }
}
