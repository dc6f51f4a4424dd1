// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// The state between a thread that decodes and another one that reads: what is ready, and what has been asked for.
struct HandoverState {
  /// Frames that follow each other, of one format.
  struct Piece {
    let storage: FrameStorage
    let format: AudioFormat
    /// The first of them that has not been taken.
    var first: Int
    var count: Int
    /// Tags of the file from its first frame on; nil where they are the same as before.
    var tags: Tags?
  }

  /// The next work of the thread that decodes.
  enum Task {
    case seek(to: Int64, turn: Int)
    case decode(turn: Int)
    /// Nothing until something is asked for.
    case rest
    case end
  }

  /// The answer to the thread that reads.
  enum Answer {
    case pieces([Piece])
    case end
    case failed(any Error)
    /// There will be some as soon as they are decoded.
    case soon
    /// The thread that decodes waits for bytes.
    case waiting
  }

  private enum Ending {
    case end
    case failed(any Error)
  }

  private var pieces: [Piece] = []
  private var ending: Ending?
  private var wanted = 0
  /// Frames have been asked for.
  private(set) var isRead = false
  private var place: Int64?
  /// Rises with each seek: what was begun before one is not wanted any more.
  private(set) var turn = 0
  private(set) var isCancelled = false
  /// The thread that decodes waits for bytes.
  var isBlocked = false

  /// Frames that are ready at least before decoding rests.
  private static let ahead = 16_384

  private var ready: Int { pieces.reduce(0) { $0 + $1.count } }

  /// Tells whether what is being decoded in `turn` is not wanted any more.
  func isStale(_ turn: Int) -> Bool { isCancelled || turn != self.turn }

  // MARK: The thread that decodes

  mutating func nextTask() -> Task {
    if isCancelled { return .end }
    if let place {
      self.place = nil
      return .seek(to: place, turn: turn)
    }
    guard ending == nil, ready < max(wanted, Self.ahead) else { return .rest }
    return .decode(turn: turn)
  }

  mutating func put(_ chunk: Chunk, _ range: Range<Int>, _ tags: Tags?, turn: Int) {
    guard !isStale(turn) else { return }
    pieces.append(
      Piece(
        storage: chunk.storage, format: chunk.format, first: range.lowerBound, count: range.count,
        tags: tags))
  }

  /// There are no more, because of `error` if that is not nil.
  mutating func end(_ error: (any Error)?, turn: Int) {
    guard !isStale(turn) else { return }
    ending = error.map { .failed($0) } ?? .end
  }

  // MARK: The thread that reads

  /// Takes up to `frames` frames of one format, if so many are there or no more will be soon.
  mutating func take(_ frames: Int) -> Answer {
    (wanted, isRead) = (frames, true)
    guard let format = pieces.first?.format else {
      switch ending {
      case .end: return .end
      case .failed(let error): return .failed(error)
      case nil: return isBlocked ? .waiting : .soon
      }
    }
    let row = pieces.prefix { $0.format == format }
    let count = row.reduce(0) { $0 + $1.count }
    let isAll = row.count < pieces.count || ending != nil || isBlocked
    guard count >= frames || isAll else { return .soon }
    var (taken, left): ([Piece], Int) = ([], frames)
    while left > 0, var piece = pieces.first, piece.format == format {
      let part = min(left, piece.count)
      taken.append(
        Piece(
          storage: piece.storage, format: format, first: piece.first, count: part, tags: piece.tags)
      )
      piece.tags = nil
      (piece.first, piece.count, left) = (piece.first + part, piece.count - part, left - part)
      if piece.count == 0 { pieces.removeFirst() } else { pieces[0] = piece }
    }
    wanted = 0
    return .pieces(taken)
  }

  mutating func seek(to frame: Int64) {
    (place, pieces, ending, wanted) = (frame, [], nil, 0)
    turn += 1
  }

  mutating func cancel() {
    isCancelled = true
    pieces = []
    ending = .failed(CancellationError())
  }
}
