// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The place of a volume curve in the stream.
///
/// The gain of a frame is the volume at the media time at which that begins, whichever way it is passed:
/// a frame is as loud backwards as forwards.
struct CurvePlace {
  /// Lines of the curve, which outlives this; nil for 1 throughout.
  var segments: UnsafePointer<VolumeCurve.Segment>?
  var count: Int
  /// The stream frame nearest to the curve's time zero.
  var zero: StreamFrame
  /// Frames that time zero lies past it.
  var phase: Double
  /// Frames of the stream in a second of media time.
  var rate: Double
  /// Media time goes backwards.
  var isReversed: Bool

  // Written out, as who calls it from another file must know that it does not allocate.
  @_noLocks @_noAllocation
  init(
    segments: UnsafePointer<VolumeCurve.Segment>?, count: Int, zero: StreamFrame, phase: Double,
    rate: Double, isReversed: Bool
  ) {
    (self.segments, self.count, self.zero) = (segments, count, zero)
    (self.phase, self.rate, self.isReversed) = (phase, rate, isReversed)
  }

  /// Frames by which a time may be rounded: one that is meant to be a frame's is.
  private static var tolerance: Double { @_noLocks @_noAllocation get { 1e-6 } }
  /// A line is measured anew every so many frames: up to there 32 bits tell each frame.
  private static var block: Int64 { @_noLocks @_noAllocation get { 1 << 24 } }

  /// The stretch from `frame` on, at most `frames` long, over which the volume is one straight line.
  @_noLocks @_noAllocation
  func run(at frame: StreamFrame, atMost frames: Int) -> GainMap.Run {
    guard let segments else { return GainMap.Run(frames: frames, from: 1, step: 0, since: 0) }
    // Frames in the direction of media time, and where its zero lies among them.
    let distance = frame &- zero
    let at = isReversed ? -1 &- distance : distance
    let origin = isReversed ? -phase : phase
    var (low, high) = (0, count)
    while high &- low > 1 {
      let middle = (low &+ high) &>> 1
      if first(of: segments[middle], origin) <= at { low = middle } else { high = middle }
    }
    let segment = segments[low]
    var rest = Int64(frames)
    if isReversed {
      if low > 0 { rest = least(rest, at &- first(of: segment, origin) &+ 1) }
    } else if low &+ 1 < count {
      rest = least(rest, first(of: segments[low &+ 1], origin) &- at)
    }
    if segment.slope == 0 {
      return GainMap.Run(frames: Int(rest), from: Float(segment.volume), step: 0, since: 0)
    }
    let begin = first(of: segment, origin)
    let passed = at &- begin
    let base = begin &+ passed / Self.block &* Self.block
    rest = least(rest, isReversed ? at &- base &+ 1 : base &+ Self.block &- at)
    let time = (Double(base) - origin) / rate - segment.start
    let from = Float(segment.volume + segment.slope * time)
    let step = Float(segment.slope / rate)
    return isReversed
      ? GainMap.Run(frames: Int(rest), from: from, step: -step, since: Int(base &- at))
      : GainMap.Run(frames: Int(rest), from: from, step: step, since: Int(at &- base))
  }

  /// The first frame that begins at the start of `segment` or later.
  @_noLocks @_noAllocation
  private func first(of segment: VolumeCurve.Segment, _ origin: Double) -> Int64 {
    let frame = segment.start * rate + origin - Self.tolerance
    if frame < -0x1p62 { return -1 << 62 }
    if frame > 0x1p62 { return 1 << 62 }
    let whole = Int64(frame)
    return Double(whole) < frame ? whole &+ 1 : whole
  }

  // Written out: `min` is generic, and in a debug build may take a lock for its metadata.
  @_noLocks @_noAllocation
  private func least(_ a: Int64, _ b: Int64) -> Int64 { a < b ? a : b }
}
