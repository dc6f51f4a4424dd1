// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

/// The place where a thread that decodes leaves frames for another one that reads; both wait here.
final class FrameHandover: @unchecked Sendable {
  // @unchecked: what is mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var state = HandoverState()
  private var opening: Result<Opened, any Error>?
  /// The turn in which the thread that decodes works.
  private var turn = 0
  /// True where what is broadcast now is wanted, not what comes next.
  private var leaps = false
  /// Reason of the present wait, for people.
  private var waitReason = ""
  private let forDecoder = DispatchSemaphore(value: 0)
  private let forReader = DispatchSemaphore(value: 0)

  /// The facts that an open file tells of itself.
  struct Opened {
    var format: AudioFormat
    var frameCount: Int64?
    var tags: Tags
    var chapters: [Chapter] = []
    var truncation: SoundFileError?
    var isExact = false
  }

  /// Milliseconds for which bytes are waited for before that is said.
  private static let unnoticed = 20

  // MARK: The thread that decodes

  /// Blocks until there is something to do.
  func nextTask() -> HandoverState.Task {
    while true {
      let task = semaphore.withLock { () -> HandoverState.Task in
        turn = state.turn
        return state.nextTask()
      }
      guard case .rest = task else { return task }
      forDecoder.wait()
    }
  }

  /// True once frames have been asked for.
  var isRead: Bool { semaphore.withLock { state.isRead } }

  /// True where what is being decoded is not wanted any more.
  var isInterrupted: Bool { semaphore.withLock { state.isStale(turn) } }

  /// True where nobody reads any more.
  var isCancelled: Bool { semaphore.withLock { state.isCancelled } }

  /// Tells whether what comes next is to be left out; it is told once.
  func takeLeap() -> Bool {
    semaphore.withLock {
      defer { leaps = false }
      return leaps
    }
  }

  /// Bytes are waited for, which is told as `reason`, or not any more.
  func setBlocked(_ isBlocked: Bool, _ reason: String = "buffering") {
    semaphore.withLock { (state.isBlocked, waitReason) = (isBlocked, reason) }
    if isBlocked { forReader.signal() }
  }

  /// Blocks until a time, which is told as `reason`.
  ///
  /// - Returns: false where what is being decoded is not wanted any more.
  func rest(until time: UInt64, _ reason: String) -> Bool {
    setBlocked(true, reason)
    defer { setBlocked(false) }
    while !isInterrupted {
      let now = HostTime.now()
      guard now < time else { return true }
      _ = forDecoder.wait(timeout: .now() + .nanoseconds(Int(min(time - now, 1_000_000_000))))
    }
    return false
  }

  /// The file is open, or cannot be opened.
  func open(_ result: Result<Opened, any Error>) {
    semaphore.withLock { opening = result }
    forReader.signal()
  }

  /// Takes what the file says of itself, which has changed.
  func update(_ opened: Opened) { semaphore.withLock { opening = .success(opened) } }

  /// Frames `range` of a chunk are there; `tags`, where not nil, are true from the first of them on.
  func put(_ chunk: Chunk, _ range: Range<Int>, _ tags: Tags?, turn: Int) {
    semaphore.withLock { state.put(chunk, range, tags, turn: turn) }
    forReader.signal()
  }

  func end(_ error: (any Error)?, turn: Int) {
    semaphore.withLock { state.end(error, turn: turn) }
    forReader.signal()
  }

  // MARK: The thread that reads

  /// Blocks until the file is open.
  func opened() throws -> Opened {
    while true {
      let (result, isCancelled) = semaphore.withLock { (opening, state.isCancelled) }
      if let result { return try result.get() }
      if isCancelled { throw CancellationError() }
      forReader.wait()
    }
  }

  /// Last words of the file about itself; nil before it is open.
  var known: Opened? {
    semaphore.withLock { if case .success(let opened) = opening { opened } else { nil } }
  }

  /// Up to `frames` frames; nil at the end.
  ///
  /// - Throws: `SourceIsWaiting` where bytes are waited for.
  func take(_ frames: Int) throws -> [HandoverState.Piece]? {
    var hasWaited = false
    while true {
      let answer = semaphore.withLock { state.take(frames) }
      forDecoder.signal()
      switch answer {
      case .pieces(let pieces): return pieces
      case .end: return nil
      case .failed(let error): throw error
      case .soon: forReader.wait()
      case .waiting:
        guard !hasWaited else {
          let reason = semaphore.withLock { waitReason }
          throw SourceIsWaiting(wait: SourceWait(reason, askAfterMilliseconds: 50))
        }
        // What comes at once is no wait.
        hasWaited = forReader.wait(timeout: .now() + .milliseconds(Self.unnoticed)) == .timedOut
      }
    }
  }

  /// Goes on with what is broadcast now.
  func leap() { semaphore.withLock { leaps = true } }

  func seek(to frame: Int64) {
    semaphore.withLock { state.seek(to: frame) }
    forDecoder.signal()
  }

  /// Any thread.
  func cancel() {
    semaphore.withLock { state.cancel() }
    forDecoder.signal()
    forReader.signal()
  }
}
