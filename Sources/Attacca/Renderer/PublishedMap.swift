// SPDX-License-Identifier: Apache-2.0

/// A renderer's map as any thread can read it, without a lock that the output takes.
///
/// Its timeline frames mean nothing without their rate, which another device may change.
final class PublishedMap: Sendable {
  private static let wordsPerPiece = 3
  private let words = SeqLock(count: 2 + PublishedMap.wordsPerPiece * RenderMap.capacity)

  init() { publish(RenderMap(media: 0), sampleRate: 1) }

  /// Writers hold the output's lock.
  func publish(_ map: RenderMap, sampleRate: Int) {
    words.write { i in
      if i == 0 { return UInt64(map.count) }
      if i == 1 { return UInt64(sampleRate) }
      let piece = map.pieces[(i - 2) / Self.wordsPerPiece]
      switch (i - 2) % Self.wordsPerPiece {
      case 0: return UInt64(bitPattern: piece.stream)
      case 1: return UInt64(bitPattern: piece.media)
      default: return UInt64(piece.traversal) << 1 | (piece.isRunning ? 1 : 0)
      }
    }
  }

  /// The map last published, and the rate of its timeline frames.
  func read() -> (map: RenderMap, sampleRate: Int) {
    var values = InlineArray<26, UInt64>(repeating: 0)
    words.read { values[$0] = $1 }
    var map = RenderMap(media: 0)
    map.restore(count: Int(values[0])) { i in
      let first = 2 + Self.wordsPerPiece * i
      return RenderMap.Piece(
        stream: Int64(bitPattern: values[first]), media: Int64(bitPattern: values[first + 1]),
        isRunning: values[first + 2] & 1 == 1, traversal: Int(values[first + 2] >> 1))
    }
    return (map, Int(values[1]))
  }
}
