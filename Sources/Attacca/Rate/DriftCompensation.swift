// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

/// Makes slightly more or fewer frames of converted ones, for a device whose clock is fast or slow.
///
/// The ratio glides from the one that is heard to the new one, and a little beyond and back: where the
/// glide ends, each frame is again where the timeline has it, to the fraction. Until then it is off by
/// 0.15 of what the ratios differ by in the time of the glide, 6 us for 21 millionths.
///
/// A run owns its timeline frames as that of a `StretchLine` does.
final class DriftCompensation {
  private let format: AudioFormat
  /// Timeline frames in a second of media time, of what comes in, and what goes out.
  private let nominalRate: Int
  private let timelineRate: Int
  /// Nominal frames from one timeline frame to the next, before the glide and after it.
  private let advances: (first: Double, last: Double)
  private let glideFrames: Double
  private let quality: RateConverter.Quality
  private var converter: VariableRateConverter?
  /// The nominal frame after the run's last one so far.
  private var end: Int64 = 0
  /// The run's first timeline frame, and its next one.
  private var firstFrame: Int64 = 0
  private var nextFrame: Int64 = 0
  /// Frames still to be left out, of the silence that puts the first one at its fraction of a frame.
  private var leadLeft = 0
  private var leadRatio = 1.0
  private let scratch: UnsafeMutableBufferPointer<Float>
  private let silence: UnsafePointer<Float>
  /// In so many frames the ratio goes in a straight line: 5 ms.
  private static let blockFrames = 256
  private static let leadFrames = 32

  /// A hundred times what is noticed of a pitch that moves, and half of the time between two looks.
  private static let glideSeconds = 2

  /// More frames than it holds back: libsamplerate's widest filter has 144 on either side.
  static let mostWithheld = 1_024

  /// Takes frames of `format`, of which `nominalRate` are a second of media time, and yields
  /// `timelineRate` for it; what is heard before them has `previousRate`.
  init(
    _ format: AudioFormat, nominalRate: Int, previousRate: Int, timelineRate: Int,
    quality: RateConverter.Quality
  ) {
    (self.format, self.nominalRate, self.timelineRate) = (format, nominalRate, timelineRate)
    self.quality = quality
    let nominal = Double(nominalRate)
    advances = (nominal / Double(previousRate), nominal / Double(timelineRate))
    glideFrames = Double(Self.glideSeconds * format.sampleRate)
    scratch = .allocate(capacity: Self.blockFrames * format.channelCount)
    let silence = UnsafeMutablePointer<Float>.allocate(
      capacity: Self.leadFrames * format.channelCount)
    silence.initialize(repeating: 0, count: Self.leadFrames * format.channelCount)
    self.silence = UnsafePointer(silence)
  }

  deinit {
    scratch.deallocate()
    silence.deallocate()
  }

  /// Takes frames from nominal frame `frame` of the timeline on.
  func push(
    _ samples: UnsafeBufferPointer<Float>, frame: Int64,
    emit: (Int64, UnsafeBufferPointer<Float>) -> Void
  ) {
    guard let base = samples.baseAddress, !samples.isEmpty else { return }
    if frame != end { finish(emit: emit) }
    let converter = self.converter ?? begin(at: frame, emit: emit)
    let count = samples.count / format.channelCount
    end += Int64(count)
    convert(base, count, with: converter, emit: emit)
  }

  /// Ends the run: emits what the filter has held back.
  func finish(emit: (Int64, UnsafeBufferPointer<Float>) -> Void) {
    guard let converter else { return }
    convert(silence, 0, with: converter, isEnd: true, emit: emit)
    self.converter = nil
    scratch.update(repeating: 0)
    while let missing = missing { deliver(missing, emit: emit) }
  }

  private func begin(
    at frame: Int64, emit: (Int64, UnsafeBufferPointer<Float>) -> Void
  ) -> VariableRateConverter {
    let new = VariableRateConverter(channelCount: format.channelCount, quality: quality)
    converter = new
    end = frame
    firstFrame = timelineFrame(frame)
    nextFrame = firstFrame
    // The first timeline frame lies up to half a frame before or after the first nominal one. Silence
    // before that, passed at a ratio that is as much off, puts it there.
    let lead = Double(Self.leadFrames)
    leadLeft = Self.leadFrames
    leadRatio = lead / (lead + distanceToFirstFrame)
    convert(silence, Self.leadFrames, with: new, emit: emit)
    return new
  }

  private func timelineFrame(_ frame: Int64) -> Int64 {
    RationalTime(frames: frame, rate: nominalRate).frames(at: timelineRate)
  }

  /// In nominal frames, from the run's first one: at the beginning of a run.
  private var distanceToFirstFrame: Double {
    // Both begin a second together: what is left of it is small enough to be multiplied.
    let (nominal, own) = (Int64(nominalRate), Int64(timelineRate))
    let seconds = (end - (end % nominal + nominal) % nominal) / nominal
    let (first, frame) = (firstFrame - seconds * own, end - seconds * nominal)
    return Double(first * nominal - frame * own) / Double(own)
  }

  /// Takes in `count` frames, and emits what they make.
  private func convert(
    _ frames: UnsafePointer<Float>, _ count: Int, with converter: VariableRateConverter,
    isEnd: Bool = false, emit: (Int64, UnsafeBufferPointer<Float>) -> Void
  ) {
    guard let target = scratch.baseAddress else { return }
    var used = 0
    while let wanted = leadLeft > 0 ? leadLeft : restOfBlock {
      let isLead = leadLeft > 0
      // It would begin where the last frame was, not the next one, and stay there from 1e-10 on.
      converter.setRatio(isLead ? leadRatio : ratio(at: framesMade))
      let progress = converter.process(
        frames + used * format.channelCount, count - used, into: target, wanted,
        ratio: isLead ? leadRatio : ratio(at: framesMade + Int64(wanted)), isEnd: isEnd)
      used += progress.used
      guard progress.made > 0 || used < count else { return }
      if isLead { leadLeft -= progress.made } else { deliver(progress.made, emit: emit) }
    }
  }

  /// Timeline frames of the run so far.
  private var framesMade: Int64 { nextFrame - firstFrame }

  /// How many frames the run owns that have not been emitted, of those that fit `scratch`.
  private var missing: Int? {
    let left = timelineFrame(end) - nextFrame
    return left > 0 ? Int(min(left, Int64(Self.blockFrames))) : nil
  }

  /// The same, of those in which the ratio goes in a straight line.
  private var restOfBlock: Int? {
    missing.map { min($0, Self.blockFrames - Int(framesMade % Int64(Self.blockFrames))) }
  }

  /// Frames out for one in, so many frames after the beginning of the run.
  private func ratio(at frame: Int64) -> Double {
    let rest = 1 - min(1, Double(frame) / glideFrames)
    // From 1 to 0 by way of -1/3, with an integral of 0.
    let share = rest * (3 * rest - 2)
    return 1 / (advances.last + (advances.first - advances.last) * share)
  }

  private func deliver(_ count: Int, emit: (Int64, UnsafeBufferPointer<Float>) -> Void) {
    guard count > 0 else { return }
    emit(nextFrame, UnsafeBufferPointer(rebasing: scratch[..<(count * format.channelCount)]))
    nextFrame += Int64(count)
  }
}
