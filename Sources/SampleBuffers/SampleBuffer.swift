// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import MediaTime

/// A run of frames with a format and an exact time.
///
/// `frameCount` frames were decoded; the first `trimAtStart` and the last `trimAtEnd` of them are
/// not heard (encoder delay, padding, or history for a rate converter):
/// `trimAtStart + heardFrameCount + trimAtEnd == frameCount`.
///
/// The corresponding CoreMedia type is `CMSampleBuffer` with its trim attachments, except that the
/// time here is that of the first frame *heard*.
public struct SampleBuffer: Sendable {
  /// Rate and speakers.
  public let format: AudioFormat
  /// Frames in memory.
  public let frameCount: Int
  /// Frames at the start that are not heard.
  public let trimAtStart: Int
  /// Frames at the end that are not heard.
  public let trimAtEnd: Int
  /// The exact time of the first heard frame.
  public let time: RationalTime
  /// Continues no buffer before it, whatever their times say.
  private var startsRun = false
  /// Time by which the buffer says that it is later than `time`, where it has been put behind the one that it
  /// continues.
  private var rounding = RationalTime.zero
  private let storage: FrameStorage
  /// Place in `storage` at which the frames start, in frames.
  private let start: Int

  /// Wraps `frameCount` frames at the start of `storage`.
  ///
  /// - Precondition: the trims are not negative and leave no negative rest, and the storage holds
  ///   that many frames.
  public init(
    storage: FrameStorage, format: AudioFormat, frameCount: Int, time: RationalTime,
    trimAtStart: Int = 0, trimAtEnd: Int = 0
  ) {
    require(
      trimAtStart >= 0 && trimAtEnd >= 0 && trimAtStart + trimAtEnd <= frameCount,
      "trims of \(trimAtStart) and \(trimAtEnd) frames; 0 and more are permitted, \(frameCount) together"
    )
    require(
      frameCount * format.channelCount <= storage.capacity,
      "\(frameCount) frames of \(format) in a storage of \(storage.capacity) samples")
    (self.storage, start) = (storage, 0)
    (self.format, self.frameCount, self.time) = (format, frameCount, time)
    (self.trimAtStart, self.trimAtEnd) = (trimAtStart, trimAtEnd)
  }

  /// A copy of `samples`, whole frames interleaved in the order of `format.layout`, heard from `time`
  /// on.
  ///
  /// A time of whole frames, `MediaTime(value: frame, timescale: sampleRate)`, is exact.
  ///
  /// - Precondition: `samples` holds whole frames, and `time` is numeric.
  public init(samples: some Collection<Float>, format: AudioFormat, at time: MediaTime) {
    let count = samples.count
    require(
      count % format.channelCount == 0,
      "\(count) samples of \(format.channelCount) channels; whole frames are permitted")
    let storage = FrameStorage(capacity: count)
    _ = UnsafeMutableBufferPointer(start: storage.samples, count: count).initialize(from: samples)
    self.init(
      storage: storage, format: format, frameCount: count / format.channelCount,
      time: RationalTime(time))
  }

  /// Frames that are heard.
  public var heardFrameCount: Int { frameCount - trimAtStart - trimAtEnd }

  /// The exact time just after the last heard frame.
  public var endTime: RationalTime {
    time + RationalTime(frames: Int64(heardFrameCount), rate: format.sampleRate)
  }

  /// `endTime` by the buffer's own time, with which the one behind it is compared.
  package var toldEndTime: RationalTime { endTime + rounding }

  /// All `frameCount` frames in memory, interleaved, trimmed ones included.
  public func withFrames<R, E: Error>(
    _ body: (UnsafeBufferPointer<Float>) throws(E) -> R
  ) throws(E) -> R {
    let channels = format.channelCount
    return try body(
      UnsafeBufferPointer(start: storage.samples + start * channels, count: frameCount * channels))
  }

  /// Returns a buffer of the same frames at another time.
  public func at(_ time: RationalTime) -> SampleBuffer {
    var buffer = SampleBuffer(
      of: self, start: start, frameCount: frameCount, time: time, trimAtStart: trimAtStart,
      trimAtEnd: trimAtEnd)
    buffer.rounding = .zero
    return buffer
  }

  /// Some of the heard frames, in the same memory; frame 0 is the first heard one.
  ///
  /// The part that holds the first heard frame keeps `trimAtStart`, that with the last one
  /// `trimAtEnd`.
  ///
  /// - Precondition: `range` lies in `0..<heardFrameCount`.
  public func slice(_ range: Range<Int>) -> SampleBuffer {
    require(
      range.lowerBound >= 0 && range.upperBound <= heardFrameCount,
      "frames \(range); 0..<\(heardFrameCount) are heard")
    let before = range.lowerBound == 0 ? trimAtStart : 0
    let after = range.upperBound == heardFrameCount ? trimAtEnd : 0
    return SampleBuffer(
      of: self, start: start + trimAtStart + range.lowerBound - before,
      frameCount: before + range.count + after,
      time: time + RationalTime(frames: Int64(range.lowerBound), rate: format.sampleRate),
      trimAtStart: before, trimAtEnd: after)
  }

  /// Tells whether the buffer goes on where a run of others ends, at `end`, or at `told` by the last one's own
  /// time.
  ///
  /// Its time is within half a source frame of the end of the buffer before. Or its time is a whole
  /// number of milliseconds and less than one from the exact end: containers such as Matroska
  /// round so, and a hole of that length at each buffer would crackle.
  package func isContiguous(with end: RationalTime, told: RationalTime) -> Bool {
    if startsRun { return false }
    let time = time + rounding
    let half = RationalTime(frames: 1, rate: 2 * format.sampleRate)
    if time == told || (time <= told + half && told <= time + half) { return true }
    guard 1_000 % time.denominator == 0 else { return false }
    let millisecond = RationalTime(frames: 1, rate: 1_000)
    return time < end + millisecond && end < time + millisecond
  }

  /// The same frames right behind those that end at `end` and that they continue; what continues these is
  /// told by their own time, as before.
  package func continuing(at end: RationalTime) -> SampleBuffer {
    var buffer = at(end)
    buffer.rounding = rounding + (time - end)
    return buffer
  }

  /// The same frames, which continue none before them, however near they are.
  package func startingRun() -> SampleBuffer {
    var buffer = self
    buffer.startsRun = true
    return buffer
  }

  /// The same frames, of which those before the one that is heard at `time` are not heard: they are history
  /// for a converter.
  ///
  /// - Precondition: `time` lies before its end.
  package func heard(from time: RationalTime) -> SampleBuffer {
    let late = Int(max(0, framesStarted(before: time)))
    require(
      late <= heardFrameCount, "heard from frame \(late); 0...\(heardFrameCount) are permitted")
    return SampleBuffer(
      of: self, start: start, frameCount: frameCount,
      time: self.time + RationalTime(frames: Int64(late), rate: format.sampleRate),
      trimAtStart: trimAtStart + late, trimAtEnd: trimAtEnd)
  }

  /// The same frames, of which those that begin at `time` or later are not heard.
  package func heard(until time: RationalTime) -> SampleBuffer {
    let whole = framesStarted(before: time)
    let isWhole = self.time + RationalTime(frames: whole, rate: format.sampleRate) >= time
    let count = isWhole ? whole : whole + 1
    let early = heardFrameCount - Int(min(max(0, count), Int64(heardFrameCount)))
    return SampleBuffer(
      of: self, start: start, frameCount: frameCount, time: self.time, trimAtStart: trimAtStart,
      trimAtEnd: trimAtEnd + early)
  }

  /// Whole frames from its first heard one to `time`.
  private func framesStarted(before time: RationalTime) -> Int64 {
    let distance = time - self.time
    let (frames, rest) = (distance.numerator * Int128(format.sampleRate))
      .quotientAndRemainder(dividingBy: Int128(distance.denominator))
    return Int64(clamping: rest < 0 ? frames - 1 : frames)
  }

  private init(
    of other: SampleBuffer, start: Int, frameCount: Int, time: RationalTime, trimAtStart: Int,
    trimAtEnd: Int
  ) {
    (storage, format) = (other.storage, other.format)
    startsRun = other.startsRun && start == other.start
    rounding = other.rounding
    (self.start, self.frameCount, self.time) = (start, frameCount, time)
    (self.trimAtStart, self.trimAtEnd) = (trimAtStart, trimAtEnd)
  }
}
