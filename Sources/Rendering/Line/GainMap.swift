// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Preconditions

/// Gain as a function of the stream frame, so that any frame can be rendered again identically.
///
/// A list of ramps, oldest first; between them the gain stays where the last one ended. Fixed
/// memory: adding a ramp allocates nothing, and what ended before the heard frame is forgotten.
struct GainMap: ~Copyable {
  /// A straight line from `from` at frame `start` to `to` at frame `start + length`.
  struct Ramp {
    var start: StreamFrame
    var length: Int64
    var from: Float
    var to: Float
  }

  /// A run of frames over which the gain is one straight line.
  struct Run {
    var frames: Int
    /// The gain at the ramp's first frame, which the run may begin after.
    var from: Float
    var step: Float
    /// Frames of the ramp before the run.
    ///
    /// Kept apart from `from`: the gain of a frame is then the same to the bit wherever rendering
    /// began.
    var since: Int

    // Written out, as who calls it from another file must know that it does not allocate.
    @_noLocks @_noAllocation
    init(frames: Int, from: Float, step: Float, since: Int) {
      self.frames = frames
      self.from = from
      self.step = step
      self.since = since
    }

    /// The gain of the run's frame `n`.
    ///
    /// In 32 bits, of which four are converted at once; a ramp is at most so long.
    subscript(n: Int) -> Float {
      @_noLocks @_noAllocation get {
        from + step * Float(Int32(truncatingIfNeeded: since) &+ Int32(truncatingIfNeeded: n))
      }
    }
  }

  private static let capacity = 64
  // Owned: allocated here, freed in `deinit`. The first ramp is always there and tells the past.
  private let ramps: UnsafeMutablePointer<Ramp>
  private var count = 1

  init(gain: Float) {
    ramps = .allocate(capacity: Self.capacity)
    ramps.initialize(
      repeating: Ramp(start: .min, length: 0, from: gain, to: gain), count: Self.capacity)
  }

  /// Creates what follows stream frame `frame` of `old`, from frame 0 of a device on: a ramp under way goes on
  /// for as long as it had left.
  init(
    continuing old: borrowing GainMap, from frame: StreamFrame, rate: (old: Int, new: Int)
  ) {
    self.init(gain: old.gain(at: frame))
    let rest = old.end(after: frame) - frame
    let length = RationalTime(frames: rest, rate: rate.old).frames(at: rate.new)
    ramp(to: old.target, at: 0, length: Int(min(length, Int64(Int32.max))))
  }

  deinit { ramps.deallocate() }

  /// Gain that is gone to, or stays.
  var target: Float { ramps[count - 1].to }

  @_noLocks @_noAllocation
  private func index(at frame: StreamFrame) -> Int {
    var i = count - 1
    while i > 0 && ramps[i].start > frame { i -= 1 }
    return i
  }

  /// The frame from which on the gain stays, `frame` or a later one.
  private func end(after frame: StreamFrame) -> StreamFrame {
    let last = ramps[count - 1]
    return count == 1 ? frame : max(frame, last.start + last.length)
  }

  /// The gain of one frame.
  @_noLocks @_noAllocation
  func gain(at frame: StreamFrame) -> Float {
    let run = self.run(at: frame, atMost: 1)
    return run[0]
  }

  /// The stretch from `frame` on, at most `frames` long, over which the gain is one straight line.
  @_noLocks @_noAllocation
  func run(at frame: StreamFrame, atMost frames: Int) -> Run {
    let i = index(at: frame)
    let ramp = ramps[i]
    var rest = Int64(frames)
    if i + 1 < count && ramps[i + 1].start &- frame < rest { rest = ramps[i + 1].start &- frame }
    // The first ramp starts at Int64.min: its length is 0, so `since` is never used.
    let since = i == 0 ? Int64.max : frame &- ramp.start
    guard since < ramp.length else {
      return Run(frames: Int(rest), from: ramp.to, step: 0, since: 0)
    }
    if ramp.length &- since < rest { rest = ramp.length &- since }
    let step = (ramp.to - ramp.from) / Float(ramp.length)
    return Run(frames: Int(rest), from: ramp.from, step: step, since: Int(since))
  }

  /// From `frame` on the gain goes to `gain` within `length` frames; later ramps are forgotten.
  mutating func ramp(to gain: Float, at frame: StreamFrame, length: Int) {
    require(length <= Int32.max, "a ramp of \(length) frames")
    let from = self.gain(at: frame)
    while count > 1 && ramps[count - 1].start >= frame { count -= 1 }
    if count == Self.capacity { dropOldest() }
    ramps[count] = Ramp(start: frame, length: Int64(length), from: from, to: gain)
    count += 1
  }

  /// The gain is `gain` everywhere, past included.
  mutating func reset(to gain: Float) {
    ramps[0] = Ramp(start: .min, length: 0, from: gain, to: gain)
    count = 1
  }

  /// Forgets what ended before `frame`.
  mutating func forget(before frame: StreamFrame) {
    while count > 1 && ramps[1].start + ramps[1].length < frame { dropOldest() }
  }

  /// Takes back the ramps that begin at `frame` or later.
  mutating func cancel(from frame: StreamFrame) {
    while count > 1 && ramps[count - 1].start >= frame { count -= 1 }
  }

  /// Tells whether the gain is 1 from `frame` on.
  func isUnity(from frame: StreamFrame) -> Bool {
    target == 1 && (count == 1 || ramps[count - 1].start + ramps[count - 1].length <= frame)
  }

  /// Moves every ramp by `delta` frames: what a pause has held goes on.
  mutating func shift(by delta: Int64) {
    for i in 1..<max(count, 1) { ramps[i].start += delta }
  }

  private mutating func dropOldest() {
    let gain = ramps[1].to
    ramps[0] = Ramp(start: .min, length: 0, from: gain, to: gain)
    for i in 1..<(count - 1) { ramps[i] = ramps[i + 1] }
    count -= 1
  }
}
