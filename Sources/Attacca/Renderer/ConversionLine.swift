// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Dispatch
import MediaTime
import SampleBuffers

/// What lies between enqueued buffers and a renderer's line: the queue of buffers that found no
/// room yet, and the converter with its state.
///
/// One generation of content has one line of conversion; a splice brings its own, already warm.
/// Converting happens on the thread that enqueues, under this line's semaphore and never under the
/// output's lock.
final class ConversionLine: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var converter: TimelineConverter
  private var pending: Deque<SampleBuffer> = []
  private var isEnding = false
  private var previousRate: Int?
  private let output: AudioFormat

  /// A converter for `output`.
  init(output: AudioFormat, quality: RateConverter.Quality) {
    converter = TimelineConverter(output: output, quality: quality)
    self.output = output
  }

  /// Converted frames are handed on in one piece of at most half a second of source.
  private func pieces(of buffer: SampleBuffer) -> [SampleBuffer] {
    let length = max(1, buffer.format.sampleRate / 2)
    guard buffer.heardFrameCount > length else { return [buffer] }
    return stride(from: 0, to: buffer.heardFrameCount, by: length).map {
      buffer.slice($0..<min($0 + length, buffer.heardFrameCount))
    }
  }

  /// Frames at `output` that a joint and the filter hold back at most, between items of `rates`:
  /// 4,096 frames of head and 2,048 of filter, at the lowest of the rates.
  static func heldFrames(at output: Int, from rates: [Int]) -> Int {
    6_144 * output / (rates.min() ?? output) + 2
  }

  /// More frames at `output` than converting one piece can yield, whatever it comes from.
  static func largestPiece(at output: Int) -> Int {
    output / 2 + 1 + heldFrames(at: output, from: [min(output, AudioFormat.lowestSourceRate)])
  }

  /// More frames than converting `buffer` can yield: its own, and what was held back before.
  private func bound(on buffer: SampleBuffer) -> Int {
    let rate = buffer.format.sampleRate
    let own = (buffer.heardFrameCount * output.sampleRate + rate - 1) / rate
    return own + Self.heldFrames(at: output.sampleRate, from: [rate, previousRate ?? rate])
  }

  /// Adds a buffer and converts what there is room for.
  ///
  /// - Precondition: the filter's memory of it fits a renderer's line.
  func enqueue(_ buffer: SampleBuffer, into target: some ConvertedFramesTarget) {
    let least = min(output.sampleRate, AudioFormat.lowestSourceRate)
    precondition(
      buffer.format.sampleRate >= least,
      "a buffer of \(buffer.format.sampleRate) Hz; \(least) is the least")
    semaphore.wait()
    defer { semaphore.signal() }
    isEnding = false
    pending.append(contentsOf: pieces(of: buffer))
    convertPending(into: target)
  }

  /// Converts what has found room since.
  ///
  /// - Returns: whether everything is converted.
  @discardableResult
  func advance(into target: some ConvertedFramesTarget) -> Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    convertPending(into: target)
    return pending.isEmpty
  }

  /// No buffer follows: once the queue is converted, the frames that the filter holds back are too.
  func finish(into target: some ConvertedFramesTarget) {
    semaphore.wait()
    defer { semaphore.signal() }
    isEnding = true
    convertPending(into: target)
  }

  /// Where `buffer` starts, if silence lies before it; what precedes a contiguous one may still be
  /// with the filter.
  private func startOfGap(before buffer: SampleBuffer) -> Int64? {
    if let end = converter.nextTime, buffer.time <= end || converter.isContinued(by: buffer) {
      return nil
    }
    return buffer.time.frames(at: output.sampleRate)
  }

  private func convertPending(into target: some ConvertedFramesTarget) {
    while let buffer = pending.first {
      let gap = startOfGap(before: buffer)
      if gap != nil { converter.finish { frame, samples in target.append(samples, media: frame) } }
      guard target.makeRoom(from: gap, frames: bound(on: buffer)) else { break }
      pending.removeFirst()
      previousRate = buffer.format.sampleRate
      converter.convert(buffer) { frame, samples in
        target.append(samples, media: frame)
      }
    }
    target.pendingBuffers(pending.count)
    if pending.isEmpty && isEnding {
      isEnding = false
      converter.finish { frame, samples in target.append(samples, media: frame) }
      target.finished()
    }
  }
}

/// Where converted frames go: a renderer's line, or frames staged for a splice.
protocol ConvertedFramesTarget {
  /// Whether `frames` frames will fit, from timeline frame `media` on if that is given; silence up
  /// to there is added.
  func makeRoom(from media: Int64?, frames: Int) -> Bool
  /// Takes interleaved samples for timeline frame `media` and what follows.
  func append(_ samples: UnsafeBufferPointer<Float>, media: Int64)
  /// How many buffers wait for room.
  func pendingBuffers(_ count: Int)
  /// The last frame has been handed over.
  func finished()
}
