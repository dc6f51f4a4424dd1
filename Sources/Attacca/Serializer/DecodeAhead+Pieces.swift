// SPDX-License-Identifier: Apache-2.0

import DequeModule
import MediaTime
import SampleBuffers
import SoundFiles

extension DecodeAhead {
  /// A part of what is decoded ahead.
  enum Piece {
    case began(ItemSpan)
    case buffer(SampleBuffer)
    case ended(Occurrence, at: RationalTime)
    /// From a time on the gains of an item apply to its frames, or are in them already.
    case volume(Occurrence, OpenItem.VolumePart, at: RationalTime)
    /// A part of an item is left out.
    case skip(Occurrence, SkippedParts.Part)
    /// From a time on an item says something else of itself.
    case tags(Occurrence, Tags, at: RationalTime)

    /// True where the piece is the beginning of `occurrence`.
    func begins(_ occurrence: Occurrence) -> Bool { begun == occurrence }

    /// Audio in it.
    fileprivate var duration: RationalTime {
      if case .buffer(let buffer) = self { buffer.endTime - buffer.time } else { .zero }
    }

    /// The item that begins with it.
    fileprivate var begun: Occurrence? {
      if case .began(let span) = self { span.range.occurrence } else { nil }
    }
  }

  /// The pieces that have been decoded and not handed over, in the order of the timeline.
  struct Pieces {
    private var pieces: Deque<Piece> = []
    /// Audio in all of them.
    private(set) var duration = RationalTime.zero

    var isEmpty: Bool { pieces.isEmpty }
    var count: Int { pieces.count }
    var first: Piece? { pieces.first }

    mutating func append(_ piece: Piece) {
      pieces.append(piece)
      duration = duration + piece.duration
    }

    mutating func popFirst() -> Piece? {
      let piece = pieces.popFirst()
      if let piece { duration = duration - piece.duration }
      return piece
    }

    /// Forgets that `occurrence` has begun, where that is the last piece.
    ///
    /// - Returns: false, and nothing is done, where it is not.
    mutating func forgetBegin(of occurrence: Occurrence) -> Bool {
      guard pieces.last?.begins(occurrence) == true else { return false }
      pieces.removeLast()
      return true
    }

    /// Forgets what comes from the begin of any of `occurrences` on.
    mutating func drop(fromBeginOf occurrences: Set<Occurrence>) {
      let place = pieces.firstIndex { $0.begun.map(occurrences.contains) ?? false }
      while let place, pieces.count > place, let piece = pieces.popLast() {
        duration = duration - piece.duration
      }
    }
  }
}
