// SPDX-License-Identifier: Apache-2.0

import DequeModule
import MediaTime
import SampleBuffers

/// Buffers that have been enqueued and not been heard, to be made anew for another pace.
///
/// References to the buffers that whoever enqueued them has made; nothing is copied. A pure value.
struct EnqueuedBuffers {
  private var buffers: Deque<SampleBuffer> = []
  /// End of the last one by the time that it was enqueued for; nil where one was enqueued behind it that
  /// is not here.
  private var toldEnd: RationalTime?
  /// End of the last one, which may have been forgotten since; nil behind a cut that leaves none.
  private var end: RationalTime?
  /// Those from here on are still to be converted.
  private var converted = 0
  /// Those before were converted when making anew began.
  private var convertedBefore = 0
  /// Being made anew: what is enqueued waits.
  private(set) var isConverting = false
  /// So many times as much is made at once as usual: a filter may hold back all of a little, and time may go
  /// on faster than that is made.
  private(set) var share: Int64 = 1
  /// Something of what is being made anew was taken back meanwhile.
  private(set) var isOutdated = false
  /// Nothing follows the last one.
  var isFinished = false

  /// Buffers that are kept.
  var count: Int { buffers.count }

  /// Adds what is heard of a buffer behind those that are there: of one that steps back in time only
  /// what they do not have.
  ///
  /// - Returns: what has been added, to be converted now in the same way as it will be made anew; nil where
  ///   that is nothing.
  mutating func append(_ buffer: SampleBuffer) -> SampleBuffer? {
    guard buffer.heardFrameCount > 0 else { return nil }
    let told = toldEnd
    toldEnd = buffer.endTime
    guard let end else { return add(buffer) }
    // Who converts it anew may not have the one before it.
    if let told, buffer.isContiguous(with: end, told: told) {
      return add(buffer.continuing(at: end))
    }
    // It was no continuation when it was converted first, and is none then: behind a cut it may be near
    // enough, and what is left of one that stepped back is.
    guard buffer.time < end else { return add(buffer.startingRun()) }
    guard buffer.endTime > end else {
      toldEnd = nil
      return nil
    }
    return add(buffer.heard(from: end).startingRun())
  }

  private mutating func add(_ buffer: SampleBuffer) -> SampleBuffer {
    buffers.append(buffer)
    end = buffer.endTime
    if !isConverting { converted += 1 }
    return buffer
  }

  /// Forgets what has been heard up to `time`.
  ///
  /// - Returns: the buffers, for the caller to let go of.
  mutating func forget(before time: RationalTime) -> [SampleBuffer] {
    guard !isConverting else { return [] }
    let count = buffers.prefix { $0.endTime < time }.count
    defer {
      buffers.removeFirst(count)
      converted -= count
    }
    return Array(buffers.prefix(count))
  }

  mutating func removeAll() {
    buffers.removeAll()
    (converted, convertedBefore, isFinished, isOutdated) = (0, 0, false, false)
    (toldEnd, end) = (nil, nil)
  }

  /// Forgets what is heard from `time` on.
  mutating func cut(from time: RationalTime) {
    while let last = buffers.last, last.time >= time { buffers.removeLast() }
    if let last = buffers.popLast() { buffers.append(last.heard(until: time)) }
    converted = min(converted, buffers.count)
    convertedBefore = min(convertedBefore, buffers.count)
    isFinished = false
    isOutdated = isConverting
    (toldEnd, end) = (nil, buffers.last?.endTime)
  }

  /// Tells whether anything is heard behind `time`.
  func reach(beyond time: RationalTime) -> Bool { buffers.last.map { $0.endTime > time } ?? false }

  /// Begins to make what is heard from `time` on anew: what is enqueued from now on waits.
  ///
  /// - Returns: about `length` of it, and whether that is all; the rest comes from `next`.
  mutating func begin(at time: RationalTime, length: RationalTime) -> ([SampleBuffer], isAll: Bool)
  {
    (isConverting, isOutdated) = (true, false)
    convertedBefore = converted
    var due: [SampleBuffer] = []
    converted = buffers.prefix { $0.endTime <= time }.count
    while converted < buffers.count, due.last.map({ $0.endTime < time + length }) ?? true {
      due.append(buffers[converted].heard(from: time))
      converted += 1
    }
    return (due, converted == buffers.count)
  }

  /// Returns the buffer to be converted next; nil where that is all, and what is enqueued need not wait.
  mutating func next() -> SampleBuffer? {
    guard converted < buffers.count else {
      isConverting = false
      return nil
    }
    defer { converted += 1 }
    return buffers[converted]
  }

  /// Gives up what was begun: what had been converted stays as it was, and more is made next time.
  mutating func abandon() {
    converted = convertedBefore
    share = min(2 * share, 64)
  }

  /// Ends what was begun: it is heard.
  mutating func succeed() { share = 1 }
}
