// SPDX-License-Identifier: Apache-2.0

internal import MediaTime

/// A run of contiguous frames at one rate on its way through a rate converter.
///
/// The run owns the timeline frames from round(start · R) to round(end · R): all of these are
/// emitted, and nothing else. Before its first frame the converter is fed the run's past, real or
/// predicted, of a length that puts the converter's output on the timeline's frames (`PhaseGrid`);
/// after its last frame the run's future. So the filter never sees an edge.
final class ConvertedRun {
  /// What surrounds the run, on the side in question.
  enum Neighbour {
    /// Nothing: silence, as around a whole file; before it, the frames that `addHistory` gave.
    case silence
    /// Sound at another rate that this run's sound continues, or is continued by.
    case joint
  }

  let rate: Int
  /// The exact time of the first frame, unshifted.
  let start: RationalTime
  private(set) var frameCount: Int64 = 0

  private let output: AudioFormat
  private let quality: RateConverter.Quality
  private let before: Neighbour
  private let grid: PhaseGrid
  private let support: Int
  private let predictor: LinearPredictor
  /// The nearest frames, for what comes after the run.
  private let tail: FrameTail
  private var converter: RateConverter?
  /// Frames that wait for the conversion's start: the context of a backward prediction.
  private var head: [Float] = []
  private var skip: Int
  private var nextFrame: Int64
  private let scratch: UnsafeMutablePointer<Float>
  private static let scratchFrames = 2_048

  /// - Parameter phase: How much later than their exact times frames shall sound.
  init(
    start: RationalTime, phase: RationalTime, rate: Int, output: AudioFormat,
    quality: RateConverter.Quality, after before: Neighbour, predictor: LinearPredictor
  ) {
    (self.start, self.rate, self.output, self.quality) = (start, rate, output, quality)
    (self.before, self.predictor) = (before, predictor)
    nextFrame = start.frames(at: output.sampleRate)
    grid = PhaseGrid(
      start: start + phase, firstFrame: nextFrame, rate: rate, outputRate: output.sampleRate)
    skip = grid.skip
    support = PhaseGrid.support(from: rate, to: output.sampleRate)
    tail = FrameTail(
      length: max(LinearPredictor.context, grid.lead), channelCount: output.channelCount)
    scratch = .allocate(capacity: Self.scratchFrames * output.channelCount)
    if before == .joint { head.reserveCapacity(LinearPredictor.context * output.channelCount) }
  }

  deinit { scratch.deallocate() }

  /// The exact time just after the last frame.
  var end: RationalTime { start + RationalTime(frames: frameCount, rate: rate) }

  /// Takes frames that precede the first one and are not heard.
  ///
  /// At a joint they are not used: most often they are an encoder's delay, which is no past that
  /// the first frame continues.
  func addHistory(_ frames: UnsafePointer<Float>, frameCount: Int) {
    guard converter == nil, before == .silence else { return }
    tail.append(frames, frameCount: frameCount)
  }

  /// Takes the frames of the run that preceded this one at the same rate as history.
  func addHistory(of other: ConvertedRun) {
    addHistory(other.tail.frames, frameCount: other.tail.count)
  }

  /// Takes `frameCount` frames in the output's channels.
  func append(
    _ frames: UnsafePointer<Float>, frameCount count: Int,
    emit: (Int64, UnsafeBufferPointer<Float>) -> Void
  ) {
    guard count > 0 else { return }
    frameCount += Int64(count)
    var frames = frames
    var rest = count
    if converter == nil, before == .joint {
      let missing = LinearPredictor.context - head.count / output.channelCount
      let taken = min(missing, rest)
      head.append(
        contentsOf: UnsafeBufferPointer(start: frames, count: taken * output.channelCount))
      frames += taken * output.channelCount
      rest -= taken
      guard taken == missing else { return }
    }
    begin(emit: emit)
    convert(frames, frameCount: rest, emit: emit)
  }

  /// Emits what is left of the run.
  func finish(before after: Neighbour, emit: (Int64, UnsafeBufferPointer<Float>) -> Void) {
    guard frameCount > 0 else { return }
    begin(emit: emit)
    extend(
      length: support,
      by: { future in
        switch after {
        case .silence:
          future.update(repeating: 0, count: support * output.channelCount)
        case .joint:
          predictor.extendForwards(
            tail.frames, frameCount: tail.count, channelCount: output.channelCount,
            into: future, length: support)
        }
      })
    converter?.end()
    pull(emit: emit)
  }

  /// Feeds the run's past, and what waited for it.
  private func begin(emit: (Int64, UnsafeBufferPointer<Float>) -> Void) {
    guard converter == nil else { return }
    converter = RateConverter(
      from: rate, to: output.sampleRate, channelCount: output.channelCount, quality: quality)
    extend(length: grid.lead) { past in
      switch before {
      case .silence:
        let known = min(tail.count, grid.lead) * output.channelCount
        let unknown = grid.lead * output.channelCount - known
        past.update(repeating: 0, count: unknown)
        let end = tail.frames + tail.count * output.channelCount
        (past + unknown).update(from: end - known, count: known)
      case .joint:
        head.withUnsafeBufferPointer { head in
          predictor.extendBackwards(
            head.baseAddress!,  // `append` put at least one frame there
            frameCount: head.count / output.channelCount, channelCount: output.channelCount,
            into: past, length: grid.lead)
        }
      }
    }
    let waiting = head
    head = []
    waiting.withUnsafeBufferPointer { waiting in
      guard let frames = waiting.baseAddress else { return }
      convert(frames, frameCount: waiting.count / output.channelCount, emit: emit)
    }
  }

  private func extend(length: Int, by fill: (UnsafeMutablePointer<Float>) -> Void) {
    let count = length * output.channelCount
    withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { memory in
      let frames = memory.baseAddress!  // `length` is 512 or more
      frames.initialize(repeating: 0, count: count)
      fill(frames)
      converter?.push(frames, frameCount: length)
    }
  }

  private func convert(
    _ frames: UnsafePointer<Float>, frameCount: Int,
    emit: (Int64, UnsafeBufferPointer<Float>) -> Void
  ) {
    tail.append(frames, frameCount: frameCount)
    converter?.push(frames, frameCount: frameCount)
    pull(emit: emit)
  }

  /// Emits what the converter has ready of the frames that the run owns so far.
  private func pull(emit: (Int64, UnsafeBufferPointer<Float>) -> Void) {
    guard let converter else { return }
    while skip > 0 {
      let pulled = converter.pull(into: scratch, frameCount: min(skip, Self.scratchFrames))
      if pulled == 0 { return }
      skip -= pulled
    }
    let end = end.frames(at: output.sampleRate)
    while nextFrame < end {
      let wanted = Int(min(end - nextFrame, Int64(Self.scratchFrames)))
      let pulled = converter.pull(into: scratch, frameCount: wanted)
      if pulled == 0 { return }
      emit(
        nextFrame, UnsafeBufferPointer(start: scratch, count: pulled * output.channelCount))
      nextFrame += Int64(pulled)
    }
  }
}
