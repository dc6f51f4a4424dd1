// SPDX-License-Identifier: Apache-2.0

import Preconditions
import MediaTime
import SampleBuffers

/// The frames that a time stretcher, or `DriftCompensation`, makes of converted ones, put on the timeline's
/// frames.
///
/// Contiguous frames are a run. A run of media time from `start` to `end` owns the timeline frames
/// from round(start) to round(end), as a converted run does, whatever the stretcher makes of it: what
/// is too much at its end is left out, what is missing is silence.
final class TimelineStretcher {
  private let format: AudioFormat
  /// Frames in a second of media time, of what comes in, and what goes out.
  private let inputRate: Int
  private let timelineRate: Int
  private let make: (_ frame: TimelineFrame) -> any TimeStretcher
  private var stretcher: (any TimeStretcher)?
  /// The frame after the run's last one so far, of those that come in.
  private var end: TimelineFrame = 0
  /// The run's next timeline frame.
  private var nextFrame: TimelineFrame = 0
  private let scratch: UnsafeMutableBufferPointer<Float>
  private static let scratchFrames = 4_096

  /// Takes frames of `format`, of which `inputRate` are a second of media time, and yields
  /// `timelineRate` for it; `make` makes the stretcher of a run that begins at a frame.
  init(
    _ format: AudioFormat, inputRate: Int, timelineRate: Int,
    make: @escaping (_ frame: TimelineFrame) -> any TimeStretcher
  ) {
    (self.format, self.inputRate, self.timelineRate) = (format, inputRate, timelineRate)
    self.make = make
    scratch = .allocate(capacity: Self.scratchFrames * format.channelCount)
  }

  /// Takes frames of `format`, and yields `timelineRate` frames for a second of them.
  convenience init(_ format: AudioFormat, timelineRate: Int, algorithm: AudioTimePitchAlgorithm) {
    guard let make = algorithm.makeStretcher else {
      trap("\(algorithm.name) does not stretch")
    }
    self.init(format, inputRate: format.sampleRate, timelineRate: timelineRate) { _ in
      let new = make(Double(format.sampleRate) / Double(timelineRate), format)
      require(
        new.withheldFrames <= Self.mostWithheld(at: format.sampleRate),
        "\(algorithm.name) holds back \(new.withheldFrames) frames; 0...\(Self.mostWithheld(at: format.sampleRate)) are permitted"
      )
      return new
    }
  }

  deinit { scratch.deallocate() }

  /// More frames than any stretcher holds back: half a second, and what does not shrink with the rate,
  /// the filters of a converter and Rubber Band's smallest window at 1/4 of the speed.
  static func mostWithheld(at sampleRate: Int) -> Int { sampleRate / 2 + 6_144 }

  /// Takes frames from `frame` on, counted as they come in.
  func push(
    _ samples: UnsafeBufferPointer<Float>, frame: TimelineFrame,
    emit: (TimelineFrame, UnsafeBufferPointer<Float>) -> Void
  ) {
    guard let base = samples.baseAddress, !samples.isEmpty else { return }
    if frame != end { finish(emit: emit) }
    let stretcher = self.stretcher ?? begin(at: frame)
    let count = samples.count / format.channelCount
    stretcher.push(base, frameCount: count)
    end += count
    pull(stretcher, emit: emit)
  }

  /// Ends the run: emits what the stretcher has held back.
  func finish(emit: (TimelineFrame, UnsafeBufferPointer<Float>) -> Void) {
    guard let stretcher else { return }
    stretcher.end()
    pull(stretcher, emit: emit)
    self.stretcher = nil
    scratch.update(repeating: 0)
    while let missing = missing { deliver(missing, emit: emit) }
  }

  private func begin(at frame: TimelineFrame) -> any TimeStretcher {
    let new = make(frame)
    stretcher = new
    end = frame
    nextFrame = timelineFrame(frame)
    return new
  }

  private func timelineFrame(_ frame: TimelineFrame) -> TimelineFrame {
    RationalTime(frame, rate: inputRate).timelineFrame(at: timelineRate)
  }

  /// Number of frames the run owns that have not been emitted, of those that fit `scratch`.
  private var missing: Int? {
    let left = timelineFrame(end) - nextFrame
    return left > 0 ? Int(min(left, Int64(Self.scratchFrames))) : nil
  }

  private func pull(
    _ stretcher: any TimeStretcher, emit: (TimelineFrame, UnsafeBufferPointer<Float>) -> Void
  ) {
    guard let target = scratch.baseAddress else { return }
    while let missing = missing {
      let count = stretcher.pull(into: target, frameCount: missing)
      if count == 0 { return }
      deliver(count, emit: emit)
    }
  }

  private func deliver(_ count: Int, emit: (TimelineFrame, UnsafeBufferPointer<Float>) -> Void) {
    emit(nextFrame, UnsafeBufferPointer(rebasing: scratch[..<(count * format.channelCount)]))
    nextFrame += count
  }
}
