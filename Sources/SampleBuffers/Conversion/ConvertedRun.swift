// SPDX-License-Identifier: Apache-2.0

internal import MediaTime

/// A run of contiguous frames at one rate on its way through a rate converter.
///
/// The run owns the timeline frames from round(start · R) to round(end · R): all of these are
/// emitted, and nothing else. Before its first frame the converter is fed the run's past, real or
/// predicted, of a length that puts the converter's output on the timeline's frames (`PhaseGrid`);
/// after its last frame the run's future. So the filter never sees an edge.
final class ConvertedRun {
  let rate: Int
  /// The exact time of the first frame, unshifted.
  let start: RationalTime
  private(set) var frameCount: Int64 = 0

  private let output: AudioFormat
  private let makeConverter: () -> any FrameConverter
  /// At a joint: what precedes the first frame, as long as the grid asks for.
  private var past: [Float]?
  private let grid: PhaseGrid
  /// Frames that the filter needs after the last one.
  let support: Int
  /// The nearest frames, for what comes after the run.
  let tail: FrameTail
  private var converter: (any FrameConverter)?
  private var skip: Int
  private var nextFrame: Int64
  private let scratch: UnsafeMutablePointer<Float>
  /// With 2,048, handing over 30 minutes of sound to a renderer that is read at the same time met its
  /// lock held 10 times as often.
  private static let scratchFrames = 8_192

  /// `phase` is how much later than their exact times frames shall sound; `makeConverter` makes a
  /// converter from `rate` to `output`.
  init(
    start: RationalTime, phase: RationalTime, rate: Int, output: AudioFormat,
    makeConverter: @escaping () -> any FrameConverter
  ) {
    (self.start, self.rate, self.output) = (start, rate, output)
    self.makeConverter = makeConverter
    nextFrame = start.frames(at: output.sampleRate)
    grid = PhaseGrid(
      start: start + phase, firstFrame: nextFrame, rate: rate, outputRate: output.sampleRate)
    skip = grid.skip
    support = PhaseGrid.support(from: rate, to: output.sampleRate)
    tail = FrameTail(
      length: max(LinearPredictor.context, grid.lead), channelCount: output.channelCount)
    scratch = .allocate(capacity: Self.scratchFrames * output.channelCount)
  }

  deinit { scratch.deallocate() }

  /// The exact time just after the last frame.
  var end: RationalTime { start + RationalTime(frames: frameCount, rate: rate) }

  /// Takes frames that precede the first one and are not heard.
  ///
  /// At a joint they are not used: most often they are an encoder's delay, which is no past that
  /// the first frame continues.
  func addHistory(_ frames: UnsafePointer<Float>, frameCount: Int) {
    guard converter == nil, past == nil else { return }
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
    begin()
    convert(frames, frameCount: count, emit: emit)
  }

  /// Frames that the grid asks for before the first one.
  var lead: Int { grid.lead }

  /// Takes the `lead` frames that precede the first one at a joint.
  func setPast(_ frames: [Float]) { past = frames }

  /// Emits what is left of the run; `future` is what follows it, `support` frames, or nil for
  /// silence.
  func finish(future: [Float]? = nil, emit: (Int64, UnsafeBufferPointer<Float>) -> Void) {
    guard frameCount > 0 else { return }
    begin()
    extend(by: future ?? [Float](repeating: 0, count: support * output.channelCount))
    converter?.end()
    pull(emit: emit)
  }

  /// Feeds the run's past.
  private func begin() {
    guard converter == nil else { return }
    converter = makeConverter()
    if let past {
      self.past = nil
      return extend(by: past)
    }
    let known = min(tail.count, grid.lead) * output.channelCount
    let end = tail.frames + tail.count * output.channelCount
    let silence = [Float](repeating: 0, count: grid.lead * output.channelCount - known)
    extend(by: silence + UnsafeBufferPointer(start: end - known, count: known))
  }

  private func extend(by frames: [Float]) {
    frames.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      converter?.push(base, frameCount: frames.count / output.channelCount)
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
