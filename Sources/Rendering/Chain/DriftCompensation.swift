// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

/// Makes slightly more or fewer frames of converted ones, for a device whose clock is fast or slow.
///
/// The ratio glides from the one that is heard to the new one, and a little beyond and back: where the
/// glide ends, each frame is again where the timeline has it, to the fraction. Until then it is off by
/// 0.15 of what the ratios differ by in the time of the glide, 6 us for 21 millionths.
final class DriftCompensation: TimeStretcher, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as its protocol says.
  private let converter: VariableRateConverter
  private let channelCount: Int
  /// Frames in from one frame out to the next, before the glide and after it.
  private let advances: (first: Double, last: Double)
  private let glideFrames: Double
  /// Frames that came in, of which `used` are with the converter.
  private var pending: [Float]
  private var used = 0
  /// Frames out so far.
  private var made = 0
  private var hasEnded = false
  /// Frames out that are left out: of the silence that puts the first one at its fraction of a frame.
  private let lead: UnsafeMutablePointer<Float>
  private var leadLeft = DriftCompensation.leadFrames
  private let leadRatio: Double
  private static let leadFrames = 32
  /// In so many frames the ratio goes in a straight line: 5 ms.
  private static let blockFrames = 256
  /// Less than half of the time between two looks at the clocks.
  private static let glideSeconds = 2

  /// More frames than it holds back: libsamplerate's widest filter has 144 on either side.
  static let mostWithheld = 1_024
  var withheldFrames: Int { Self.mostWithheld }

  /// Takes frames of `format`, and steps from one to the next by `advances.first` of them at first,
  /// by `advances.last` in the end; the first frame out lies `offset` frames behind the first one in,
  /// half a frame before it or behind at most.
  init(
    _ format: AudioFormat, advances: (first: Double, last: Double), offset: Double,
    quality: RateConverter.Quality
  ) {
    (channelCount, self.advances) = (format.channelCount, advances)
    converter = VariableRateConverter(channelCount: channelCount, quality: quality)
    glideFrames = Double(Self.glideSeconds * format.sampleRate)
    // Silence before the first frame, passed at a ratio that is as much off, puts it there.
    leadRatio = Double(Self.leadFrames) / (Double(Self.leadFrames) + offset)
    lead = .allocate(capacity: Self.leadFrames * channelCount)
    pending = [Float](repeating: 0, count: Self.leadFrames * channelCount)
  }

  deinit { lead.deallocate() }

  func push(_ frames: UnsafePointer<Float>, frameCount: Int) {
    pending.removeFirst(used * channelCount)
    used = 0
    pending += UnsafeBufferPointer(start: frames, count: frameCount * channelCount)
  }

  func end() { hasEnded = true }

  func pull(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    while leadLeft > 0 {
      let count = convert(into: lead, leadLeft, from: leadRatio, to: leadRatio)
      if count == 0 { return 0 }
      leadLeft -= count
    }
    let wanted = min(frameCount, Self.blockFrames - made % Self.blockFrames)
    let count = convert(
      into: frames, wanted, from: ratio(at: made), to: ratio(at: made + wanted))
    made += count
    return count
  }

  private func convert(
    into target: UnsafeMutablePointer<Float>, _ wanted: Int, from first: Double, to last: Double
  ) -> Int {
    // It would begin where the last frame was, not the next one, and stay there from 1e-10 on.
    converter.setRatio(first)
    let progress = pending.withUnsafeBufferPointer { pending in
      converter.process(
        pending.baseAddress.map { $0 + used * channelCount },
        pending.count / channelCount - used, into: target, wanted, ratio: last, isEnd: hasEnded)
    }
    used += progress.used
    return progress.made
  }

  /// Frames out for one in, so many frames after the beginning.
  private func ratio(at frame: Int) -> Double {
    let rest = 1 - min(1, Double(frame) / glideFrames)
    // From 1 to 0 by way of -1/3, with an integral of 0.
    let share = rest * (3 * rest - 2)
    return 1 / (advances.last + (advances.first - advances.last) * share)
  }
}

extension TimelineStretcher {
  /// Takes frames of `format`, of which `nominalRate` are a second of media time, and yields
  /// `timelineRate` for it; what is heard before them has `previousRate`.
  convenience init(
    _ format: AudioFormat, nominalRate: Int, previousRate: Int, timelineRate: Int,
    quality: RateConverter.Quality
  ) {
    let nominal = Double(nominalRate)
    let advances = (first: nominal / Double(previousRate), last: nominal / Double(timelineRate))
    self.init(format, inputRate: nominalRate, timelineRate: timelineRate) { frame in
      let begin = RationalTime(frame, rate: nominalRate)
      let first = RationalTime(frames: begin.frames(at: timelineRate), rate: timelineRate)
      let offset = first - begin
      return DriftCompensation(
        format, advances: advances,
        offset: nominal * Double(offset.numerator) / Double(offset.denominator), quality: quality)
    }
  }
}
