// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import MediaTime

/// Turns timed buffers of any format into frames of one format on one frame grid.
///
/// Contiguous buffers of one sample rate are a *run*. A run that lasts from `start` to `end` owns
/// the timeline frames from round(start · R) to round(end · R), R being the output's rate; each of
/// them is emitted once, so that the total over any playlist is exact. `isContinued(by:)` says which
/// buffers are contiguous; within a run frames are counted, and times that were rounded elsewhere
/// move nothing.
///
/// A run at the output's rate is copied, from the nearest frame on, equal to the bit if its layout
/// is the output's. Other rates are converted; files of the same rate after each other sound as if
/// never cut, and at a joint of two rates both sides are continued by prediction
/// (docs/design/0003-joints.md).
///
/// Not thread-safe: one thread at a time. The start of a run allocates; within a run, after the
/// first second or so, converting allocates nothing.
public final class TimelineConverter {
  private enum Run {
    case none
    case native(start: RationalTime, frameCount: Int64)
    case converted(ConvertedRun)
    /// Ended by `finish`: what continues it starts anew, with the run's last frames as its past.
    case finished(ConvertedRun)
  }

  /// The format of the frames that come out.
  public let output: AudioFormat
  private let quality: RateConverter.Quality
  private let parallel: ParallelConversion?
  private var run = Run.none
  /// Joint of `run` with the one before, until enough of it is there; it holds `run`'s first frames.
  private var joint: Joint?
  /// The last frames of a native run, for a joint after it.
  private var nativeTail: FrameTail?
  /// The last buffer's end by its own time, to judge the next one's.
  private var lastEnd: RationalTime?
  /// Frames below were emitted, or were owned by an earlier run.
  private var nextFrame = Int64.min
  /// Time by which the last native run sounded later than its exact time: 0 ± half a frame.
  private var phase = RationalTime.zero
  private let predictor = LinearPredictor()
  private var mixers: [ChannelMixer] = []
  private var mixed = UnsafeMutableBufferPointer<Float>.allocate(capacity: 0)

  /// A converter that has taken in nothing yet.
  public convenience init(output: AudioFormat, quality: RateConverter.Quality = .veryHigh) {
    self.init(output: output, quality: quality, parallel: nil)
  }

  /// The same that has long runs converted by several threads: equal frames, but later, and `emit`
  /// may have to wait for them.
  package init(output: AudioFormat, quality: RateConverter.Quality, parallel: ParallelConversion?) {
    (self.output, self.quality, self.parallel) = (output, quality, parallel)
  }

  deinit { mixed.deallocate() }

  /// The exact end of what was taken in so far; `nil` before the first buffer.
  public var nextTime: RationalTime? {
    guard let end = endOfRun else { return nil }
    guard let joint, let rate = rateOfRun else { return end }
    return end + RationalTime(frames: Int64(joint.headCount), rate: rate)
  }

  private var endOfRun: RationalTime? {
    switch run {
    case .none: nil
    case .native(let start, let frameCount):
      start + RationalTime(frames: frameCount, rate: output.sampleRate)
    case .converted(let run), .finished(let run): run.end
    }
  }

  private var rateOfRun: Int? {
    switch run {
    case .none: nil
    case .native: output.sampleRate
    case .converted(let run), .finished(let run): run.rate
    }
  }

  /// Takes in one buffer.
  ///
  /// `emit` gets the first frame's index on the timeline, at the output's rate (0 is time zero),
  /// and interleaved samples that are valid only during the call. Indices ascend, without holes
  /// within a run; where a buffer's time leaves a gap the caller fills it. Of a buffer that goes
  /// back in time the frames that were emitted before are left out. A buffer without a heard frame
  /// changes nothing.
  public func convert(
    _ buffer: SampleBuffer, emit: (Int64, UnsafeBufferPointer<Float>) -> Void
  ) {
    guard buffer.heardFrameCount > 0 else { return }
    startRun(for: buffer, emit: emit)
    lastEnd = buffer.toldEndTime
    withMixedFrames(of: buffer) { frames in
      if case .converted(let run) = run, run.frameCount == 0, joint == nil {
        run.addHistory(frames, frameCount: buffer.trimAtStart)
      }
      var heard = frames + buffer.trimAtStart * output.channelCount
      var rest = buffer.heardFrameCount
      if let joint {
        let taken = joint.append(heard, frameCount: rest)
        heard += taken * output.channelCount
        rest -= taken
        if joint.isComplete { join(emit: emit) }
      }
      take(heard, frameCount: rest, emit: emit)
    }
  }

  /// Takes frames into the present run.
  private func take(
    _ frames: UnsafePointer<Float>, frameCount count: Int,
    emit: (Int64, UnsafeBufferPointer<Float>) -> Void
  ) {
    guard count > 0 else { return }
    switch run {
    case .native(let start, let frameCount):
      deliver(
        start.frames(at: output.sampleRate) + frameCount,
        UnsafeBufferPointer(start: frames, count: count * output.channelCount), emit: emit)
      nativeTail?.append(frames, frameCount: count)
      run = .native(start: start, frameCount: frameCount + Int64(count))
    case .converted(let run):
      run.append(frames, frameCount: count) { deliver($0, $1, emit: emit) }
    case .none, .finished:
      trap("\(count) frames before startRun made a run")
    }
  }

  /// Ends the run before the joint, and begins the one after it.
  private func join(emit: (Int64, UnsafeBufferPointer<Float>) -> Void) {
    guard let joint = joint.take() else { return }
    if let ending = joint.ending {
      ending.finish(future: joint.future(length: ending.support)) { deliver($0, $1, emit: emit) }
    }
    if case .converted(let starting) = run {
      starting.setPast(joint.past(length: starting.lead))
    }
    joint.head.withUnsafeBufferPointer {
      guard let frames = $0.baseAddress else { return }
      take(frames, frameCount: joint.headCount, emit: emit)
    }
  }

  /// The end of the queue: emits the frames that a filter withheld, with silence after them.
  ///
  /// More may follow: a buffer contiguous with what was taken in continues it, save that these last
  /// frames have been emitted with silence after them.
  public func finish(emit: (Int64, UnsafeBufferPointer<Float>) -> Void) {
    join(emit: emit)
    guard case .converted(let ending) = run else { return }
    ending.finish { deliver($0, $1, emit: emit) }
    run = .finished(ending)
  }

  /// Sees to it that `run` is the one that `buffer` belongs to.
  private func startRun(
    for buffer: SampleBuffer, emit: (Int64, UnsafeBufferPointer<Float>) -> Void
  ) {
    let rate = buffer.format.sampleRate
    let continues = isContinued(by: buffer)
    if continues, rate == rateOfRun {
      switch run {
      case .native, .converted: return
      case .none, .finished: break
      }
    }
    join(emit: emit)
    let start = continues ? nextTime ?? buffer.time : buffer.time
    let before = run
    if !continues, case .converted(let ending) = before {
      ending.finish { deliver($0, $1, emit: emit) }
    }
    if !continues { phase = .zero }
    begin(at: start, rate: rate)
    if continues { meet(before, rate: rate) }
    if rate == output.sampleRate { nativeTail = makeTail() }
  }

  private func makeTail() -> FrameTail {
    FrameTail(length: LinearPredictor.context, channelCount: output.channelCount)
  }

  private func begin(at start: RationalTime, rate: Int) {
    if rate == output.sampleRate {
      phase = RationalTime(frames: start.frames(at: rate), rate: rate) - start
      run = .native(start: start, frameCount: 0)
    } else {
      run = .converted(
        ConvertedRun(start: start, phase: phase, rate: rate, output: output) {
          [output, quality, parallel] in
          parallel?.converter(from: rate, to: output, quality: quality)
            ?? RateConverter(
              from: rate, to: output.sampleRate, channelCount: output.channelCount,
              quality: quality)
        })
    }
  }

  /// Makes the joint between the run before, which the present one continues, and that.
  private func meet(_ before: Run, rate: Int) {
    switch before {
    case .none: break
    case .native:
      makeJoint(nil, nativeTail ?? makeTail(), from: output.sampleRate, to: rate)
    case .converted(let ending):
      makeJoint(ending, ending.tail, from: ending.rate, to: rate)
    case .finished(let ending) where ending.rate == rate:
      // Ended by `finish`, with silence after it: its frames are this one's past all the same.
      if case .converted(let new) = run { new.addHistory(of: ending) }
    case .finished(let ending):
      makeJoint(nil, ending.tail, from: ending.rate, to: rate)
    }
  }

  private func makeJoint(_ ending: ConvertedRun?, _ tail: FrameTail, from: Int, to: Int) {
    joint = Joint(
      ending: ending, tail: tail, from: from, to: to, channelCount: output.channelCount,
      predictor: predictor, quality: quality)
  }

  /// Tells whether `buffer` follows what was taken in without a gap or an overlap.
  ///
  /// `SampleBuffer.isContiguous(with:told:)` says when.
  public func isContinued(by buffer: SampleBuffer) -> Bool {
    guard let lastEnd, let end = nextTime else { return false }
    return buffer.isContiguous(with: end, told: lastEnd)
  }

  /// Emits the part of the frames from `first` on that no earlier run owned.
  private func deliver(
    _ first: Int64, _ samples: UnsafeBufferPointer<Float>,
    emit: (Int64, UnsafeBufferPointer<Float>) -> Void
  ) {
    let count = samples.count / output.channelCount
    let dropped = first >= nextFrame ? 0 : Int(min(nextFrame - first, Int64(count)))
    guard dropped < count else { return }
    nextFrame = first + Int64(count)
    emit(
      first + Int64(dropped),
      UnsafeBufferPointer(rebasing: samples[(dropped * output.channelCount)...]))
  }

  /// All frames of `buffer`, trimmed ones included, in the output's channels.
  private func withMixedFrames(of buffer: SampleBuffer, _ body: (UnsafePointer<Float>) -> Void) {
    buffer.withFrames { frames in
      guard let source = frames.baseAddress, !frames.isEmpty else { return }
      let mixer = mixer(for: buffer.format.layout)
      if mixer.isIdentity { return body(source) }
      let needed = buffer.frameCount * output.channelCount
      if mixed.count < needed {
        mixed.deallocate()
        mixed = .allocate(capacity: needed)
      }
      let target = mixed.baseAddress!  // `needed` is 1 or more
      mixer.mix(source, frameCount: buffer.frameCount, into: target)
      body(UnsafePointer(target))
    }
  }

  private func mixer(for layout: ChannelLayout) -> ChannelMixer {
    if let known = mixers.first(where: { $0.input == layout }) { return known }
    let mixer = ChannelMixer(from: layout, to: output.layout)
    mixers.append(mixer)
    return mixer
  }
}
