// SPDX-License-Identifier: Apache-2.0

import Preconditions
import DequeModule
import Dispatch
import MediaTime
import SampleBuffers

/// The conversion between enqueued buffers and a renderer's line: the queue of buffers that found no
/// room yet, and the converter with its state.
///
/// One generation of content has one chain of conversion; a splice brings its own, already warm.
/// Converting happens on the thread that enqueues, under the chain's semaphore and never under the
/// output's lock.
final class ConversionChain: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var converter: TimelineConverter
  private var pending: Deque<SampleBuffer> = []
  /// Converted frames that found no room: what a filter held back, where room was made for less.
  private var waiting: Deque<ConvertedFrames> = []
  private var isEnding = false
  private var previousRate: Int?
  private let output: AudioFormat
  /// Speed of media time in what is converted.
  let pace: Pace
  /// Timeline frames in a second of media time.
  let timelineRate: Int
  /// Stretcher that follows the converter where the pitch is to be kept.
  private let stretcher: TimelineStretcher?
  /// Stretcher that follows both where the device's clock is not the one that is followed.
  private let drift: TimelineStretcher?
  /// Effects that the frames go through last, as they are to be heard.
  private let effects: EffectChain?

  /// The effects that frames go through.
  var setting: EffectSetting { effects?.setting ?? .none }

  /// True where a frame is the same before effects, wherever converting began.
  var isRepeatable: Bool { stretcher == nil && drift == nil }

  /// A converter for `output` at `pace`, with `effects`, whose frames are heard after those of `previous`.
  init(
    output: AudioFormat, quality: RateConverter.Quality, pace: Pace,
    effects: EffectSetting = .none, after previous: ConversionChain? = nil
  ) {
    (self.output, self.pace) = (output, pace)
    self.effects = EffectChain(effects, format: output)
    timelineRate = pace.timelineRate(for: output.sampleRate)
    let rate = pace.nominal.timelineRate(for: output.sampleRate)
    stretcher = pace.stretching.map { TimelineStretcher(output, timelineRate: rate, algorithm: $0) }
    let before =
      if let previous, previous.pace.nominal == pace.nominal { previous.timelineRate } else {
        timelineRate
      }
    drift =
      before == rate && timelineRate == rate
      ? nil
      : TimelineStretcher(
        output, nominalRate: rate, previousRate: before, timelineRate: timelineRate,
        quality: quality)
    // Frames of another rate than the device's, played at the device's, are faster or slower.
    let converted =
      stretcher == nil ? AudioFormat(timelineRate: rate, layout: output.layout) : output
    converter = TimelineConverter(output: converted, quality: quality)
  }

  /// Adds a buffer to those that wait: converted frames are handed on in one piece of at most half
  /// a second.
  private func append(_ buffer: SampleBuffer) {
    let length = max(1, buffer.format.sampleRate * output.sampleRate / (2 * timelineRate))
    guard buffer.heardFrameCount > length else { return pending.append(buffer) }
    for first in stride(from: 0, to: buffer.heardFrameCount, by: length) {
      pending.append(buffer.slice(first..<min(first + length, buffer.heardFrameCount)))
    }
  }

  /// Frames at `timelineRate` that a joint and the filter hold back at most, between items of
  /// `rates`: 4,096 frames of head and 2,048 of filter, at the lowest of the rates, or 256 of filter
  /// at a lower rate than theirs.
  static func heldFrames(at timelineRate: Int, from rates: [Int]) -> Int {
    6_144 * timelineRate / (rates.min() ?? timelineRate) + 258
  }

  /// More frames than converting one piece can yield, whatever it comes from, for a device of
  /// `output` frames a second.
  static func largestPiece(at output: Int, pace: Pace = .natural) -> Int {
    let rate = pace.timelineRate(for: output)
    return output / 2 + 1 + heldFrames(at: rate, from: [min(output, AudioFormat.lowestSourceRate)])
      + mostWithheld(at: output, pace: pace)
  }

  /// More frames than are held back behind the converter.
  private static func mostWithheld(at output: Int, pace: Pace) -> Int {
    (pace.stretching == nil ? 0 : TimelineStretcher.mostWithheld(at: output))
      + DriftCompensation.mostWithheld
  }

  /// More frames than are held back of what `rates` are converted from.
  func heldFrames(from rates: [Int]) -> Int {
    Self.heldFrames(at: timelineRate, from: rates)
      + Self.mostWithheld(at: output.sampleRate, pace: pace)
  }

  /// More frames than converting `buffer` can yield: its own, and what was held back before.
  private func bound(on buffer: SampleBuffer) -> Int {
    let rate = buffer.format.sampleRate
    let own = (buffer.heardFrameCount * timelineRate + rate - 1) / rate
    return own + heldFrames(from: [rate, previousRate ?? rate])
  }

  /// Adds a buffer and converts what there is room for.
  ///
  /// - Precondition: the filter's memory of it fits a renderer's line.
  func enqueue(_ buffer: SampleBuffer, into target: some ConvertedFramesTarget) {
    let least = min(output.sampleRate, AudioFormat.lowestSourceRate)
    require(
      buffer.format.sampleRate >= least,
      "a buffer of \(buffer.format.sampleRate) Hz; \(least) and more are permitted")
    semaphore.wait()
    defer { semaphore.signal() }
    isEnding = false
    append(buffer)
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
  ///
  /// `isMeant` is asked when what is enqueued from then on comes behind that end; where it denies, nothing is done.
  func finish(into target: some ConvertedFramesTarget, if isMeant: () -> Bool = { true }) {
    semaphore.wait()
    defer { semaphore.signal() }
    guard isMeant() else { return }
    isEnding = true
    convertPending(into: target)
  }

  /// Returns the start of the silence before `buffer`, if there is some; what precedes a contiguous one may still be
  /// with the filter.
  private func startOfGap(before buffer: SampleBuffer) -> TimelineFrame? {
    if let end = converter.nextTime, buffer.time <= end || converter.isContinued(by: buffer) {
      return nil
    }
    return buffer.time.timelineFrame(at: timelineRate)
  }

  /// Buffers, and the end, that wait for room.
  private var pendingCount: Int {
    pending.count + (waiting.isEmpty ? 0 : 1) + (isEnding ? 1 : 0)
  }

  private func convertPending(into target: some ConvertedFramesTarget) {
    defer { target.pendingBuffers(pendingCount) }
    handWaiting(to: target)
    while waiting.isEmpty, let buffer = pending.first {
      let gap = startOfGap(before: buffer)
      if let gap { finishConverting(into: target, before: gap) }
      // Effects that go on through the gap have it come out behind what they hold back.
      let silence = effects?.isActive == true ? nil : gap
      guard waiting.isEmpty, target.makeRoom(from: silence, frames: bound(on: buffer)) else {
        break
      }
      pending.removeFirst()
      previousRate = buffer.format.sampleRate
      converter.convert(buffer) { emit($1, media: TimelineFrame($0), into: target) }
    }
    guard isEnding, pending.isEmpty, waiting.isEmpty else { return }
    finishConverting(into: target)
    guard waiting.isEmpty else { return }
    isEnding = false
    target.finished()
  }

  /// Hands on what found no room before.
  private func handWaiting(to target: some ConvertedFramesTarget) {
    while let frames = waiting.popFirst() {
      let taken = frames.samples.withUnsafeBufferPointer {
        target.append($0, media: frames.media, isTail: frames.isTail)
      }
      guard taken < frames.samples.count / output.channelCount else { continue }
      waiting.prepend(frames.dropping(taken, channelCount: output.channelCount))
      return
    }
  }

  /// Hands frames on, or keeps those that find no room.
  private func hand(
    _ samples: UnsafeBufferPointer<Float>, media: TimelineFrame, isTail: Bool = false,
    to target: some ConvertedFramesTarget
  ) {
    let taken = waiting.isEmpty ? target.append(samples, media: media, isTail: isTail) : 0
    guard taken < samples.count / output.channelCount else { return }
    waiting.append(
      ConvertedFrames(media: media, samples: Array(samples), isTail: isTail)
        .dropping(taken, channelCount: output.channelCount))
  }

  private func emit(
    _ samples: UnsafeBufferPointer<Float>, media: TimelineFrame,
    into target: some ConvertedFramesTarget
  ) {
    guard let stretcher else { return compensate(samples, media: media, into: target) }
    stretcher.push(samples, frame: media) { compensate($1, media: $0, into: target) }
  }

  private func compensate(
    _ samples: UnsafeBufferPointer<Float>, media: TimelineFrame,
    into target: some ConvertedFramesTarget
  ) {
    guard let drift else { return affect(samples, media: media, into: target) }
    drift.push(samples, frame: media) { affect($1, media: $0, into: target) }
  }

  private func affect(
    _ samples: UnsafeBufferPointer<Float>, media: TimelineFrame,
    into target: some ConvertedFramesTarget
  ) {
    guard let effects else { return hand(samples, media: media, to: target) }
    effects.push(samples, media: media) { hand($0, media: $1, isTail: $2, to: target) }
  }

  /// Hands on what is held back, as silence follows: up to `media`, or for good where that is nil.
  private func finishConverting(
    into target: some ConvertedFramesTarget, before media: TimelineFrame? = nil
  ) {
    converter.finish { emit($1, media: TimelineFrame($0), into: target) }
    stretcher?.finish { compensate($1, media: $0, into: target) }
    drift?.finish { affect($1, media: $0, into: target) }
    if let media {
      effects?.pause(upTo: media) { hand($0, media: $1, isTail: $2, to: target) }
    } else {
      effects?.finish { hand($0, media: $1, isTail: $2, to: target) }
    }
  }
}

/// Interleaved samples for timeline frame `media` and what follows.
private struct ConvertedFrames {
  let media: TimelineFrame
  let samples: [Float]
  let isTail: Bool

  /// All but the first `frames` frames.
  func dropping(_ frames: Int, channelCount: Int) -> ConvertedFrames {
    guard frames > 0 else { return self }
    return ConvertedFrames(
      media: media + frames, samples: Array(samples[(frames * channelCount)...]), isTail: isTail)
  }
}

/// The target of converted frames: a renderer's line, or frames staged for a splice.
protocol ConvertedFramesTarget {
  /// Tells whether `frames` frames will fit, from timeline frame `media` on if that is given; silence up
  /// to there is added.
  func makeRoom(from media: TimelineFrame?, frames: Int) -> Bool
  /// Takes interleaved samples for timeline frame `media` and what follows; `isTail` where effects die away
  /// behind the last frame that there is.
  ///
  /// - Returns: the frames taken, or of no more use; the rest finds no room.
  func append(_ samples: UnsafeBufferPointer<Float>, media: TimelineFrame, isTail: Bool) -> Int
  /// Notes the number of buffers that wait for room.
  func pendingBuffers(_ count: Int)
  /// The last frame has been handed over.
  func finished()
}
