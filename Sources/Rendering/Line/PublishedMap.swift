// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// A renderer's map as any thread can read it, without a lock that the output takes.
final class PublishedMap: Sendable {
  private static let wordsPerPiece = 4
  private static let wordsBefore = 2
  private let words = SeqLock(
    count: PublishedMap.wordsBefore + PublishedMap.wordsPerPiece * RenderMap.capacity)

  init() { publish(RenderMap(media: 0, rate: 1)) }

  /// Writers hold the output's lock; `end` is the stream frame behind which there is nothing.
  func publish(_ map: RenderMap, end: StreamFrame? = nil) {
    words.write { i in
      if i == 0 { return UInt64(map.count) }
      if i == 1 { return UInt64(bitPattern: (end ?? .max).number) }
      let piece = map.pieces[(i - Self.wordsBefore) / Self.wordsPerPiece]
      switch (i - Self.wordsBefore) % Self.wordsPerPiece {
      case 0: return UInt64(bitPattern: piece.stream.number)
      case 1: return UInt64(bitPattern: piece.media.number)
      case 2: return UInt64(piece.rate)
      default:
        return UInt64(piece.traversal) << 2 | (piece.isReversed ? 2 : 0) | (piece.isRunning ? 1 : 0)
      }
    }
  }

  /// The map last published.
  func read() -> RenderMap { readWithEnd().map }

  /// The map last published, and the stream frame behind which there is nothing.
  func readWithEnd() -> (map: RenderMap, end: StreamFrame?) {
    var values = InlineArray<34, UInt64>(repeating: 0)
    words.read { values[$0] = $1 }
    var map = RenderMap(media: 0, rate: 1)
    map.restore(count: Int(values[0])) { i in
      let first = Self.wordsBefore + Self.wordsPerPiece * i
      return RenderMap.Piece(
        stream: StreamFrame(Int64(bitPattern: values[first])),
        media: TimelineFrame(Int64(bitPattern: values[first + 1])),
        rate: Int(values[first + 2]), isRunning: values[first + 3] & 1 == 1,
        traversal: Int(values[first + 3] >> 2), isReversed: values[first + 3] & 2 == 2)
    }
    let end = StreamFrame(Int64(bitPattern: values[1]))
    return (map, end == .max ? nil : end)
  }
}
