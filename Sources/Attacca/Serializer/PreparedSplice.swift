// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering
import SampleBuffers

/// New content on its way to take the place of what plays: decoded until there is enough of it,
/// converted, and spliced in.
struct PreparedSplice {
  /// The place on the present timeline where the content takes over.
  struct Joint {
    /// The item that is heard there, and goes on or ends.
    let occurrence: Occurrence
    /// From here on frames are replaced, by equal ones at first.
    let from: RationalTime
    /// From here on they differ; nil where they are equal throughout.
    let until: RationalTime?
    /// Number of the renderer's content that the place was chosen in.
    let lineGeneration: Int
  }

  var content: DecodeAhead
  /// Number of the start that the content belongs to.
  let generation: Int
  /// nil for a new timeline, as soon as possible.
  var joint: Joint?
  /// The fade over the joint; nil for what the joint wants by then.
  let fade: Fade?
  /// True where the content begins in the middle of an item.
  let isMiddle: Bool
  /// Media time that has to be decoded before the content is spliced in.
  var needed: RationalTime
  /// Media time from the playhead to the begin of content that reverses the direction, at most: the playhead goes
  /// on meanwhile; nil where the direction stays the same.
  var lead: RationalTime?
  /// True where the decoded part is spliced in, short as it is: what follows takes its time.
  var isShort = false
  /// The first item has been waited for: `needed` is wanted of it, however little it takes otherwise.
  var isWaitedFor = false
  /// True where enough of the content is decoded for the splice, or all there is.
  var isPrepared: Bool {
    content.isExhausted || content.waiting >= needed + (lead ?? .zero)
      || (isWaitedFor && content.begun.first?.end != nil && content.waiting > .zero)
      || (isShort && !isWaitedFor && joint == nil && content.waiting > .zero)
  }
  /// Pieces of the content that have been converted for the splice.
  var spliced: [DecodeAhead.Piece] = []
  /// True once all of the content has been converted for the splice.
  var isComplete = false

  /// The item that was put among `spliced` last as an occurrence.
  func span(of occurrence: Occurrence) -> ItemSpan? {
    for piece in spliced.reversed() {
      if case .began(let span) = piece, span.range.occurrence == occurrence { return span }
    }
    return nil
  }

  /// A part of the item that was put among `spliced` last as an occurrence is left out.
  ///
  /// - Returns: the item; nil where it is not there.
  mutating func skip(_ part: SkippedParts.Part, of occurrence: Occurrence) -> ItemSpan? {
    for i in spliced.indices.reversed() {
      guard case .began(var span) = spliced[i], span.range.occurrence == occurrence else {
        continue
      }
      span.skips.add(part)
      spliced[i] = .began(span)
      return span
    }
    return nil
  }

  /// From here on the renderer's frames are replaced, where not all are.
  var from: RationalTime? {
    joint.map { content.isBehindJoint ? content.begin : $0.from }
  }

  /// Has no less than `preroll` of the first item prepared, which has been waited for; zero changes nothing.
  mutating func expect(_ preroll: RationalTime) {
    guard preroll > .zero else { return }
    (needed, isWaitedFor) = (max(needed, preroll), true)
  }
}
