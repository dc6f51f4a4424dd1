// SPDX-License-Identifier: Apache-2.0

import MediaTime

// What the content dies away in behind its end, while media time holds there.
extension RenderLine {
  /// The stream frame that the content in the ring ends with; what it dies away in follows.
  var endOfContent: StreamFrame { ring.end - Int64(tail) }

  /// Adds frames in which the content dies away, at timeline frame `media`.
  ///
  /// - Returns: the frames of `count` taken or dropped; the rest, if any, found no room.
  mutating func appendTail(
    _ source: UnsafePointer<Float>, media: TimelineFrame, count: Int
  ) -> Int {
    let (begin, before) = (endOfContent, ring.end)
    let taken = add(source, media: media, count: count)
    if ring.end > before { tail = Int(ring.end - begin) }
    return taken
  }

  /// Forgets what the content dies away in, as it goes on after all, or has been heard.
  mutating func dropTail() {
    guard tail > 0 else { return }
    let end = endOfContent
    if ring.begin > end { ring.clear(at: end) } else { ring.truncate(at: end) }
    tail = 0
    wrote(upTo: min(written, end))
  }

  /// The piece of media time that is heard at `frame`; where the content dies away, its end is held.
  func piece(at frame: StreamFrame) -> RenderMap.Piece {
    var piece = map.piece(at: frame)
    guard tail > 0, frame >= endOfContent, piece.isRunning else { return piece }
    (piece.media, piece.stream) = (piece.media(at: endOfContent), endOfContent)
    piece.isRunning = false
    return piece
  }

  /// The stream frame with which another piece than that at `frame` begins; nil in the last.
  func end(ofPieceAt frame: StreamFrame) -> StreamFrame? {
    let end = map.end(ofPieceAt: frame)
    guard tail > 0, frame < endOfContent else { return end }
    return min(end ?? .max, endOfContent)
  }
}
