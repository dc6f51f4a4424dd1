// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Frames that one voice of a bus has given to be played and that may be wanted again, and whether its time
/// runs.
///
/// A device of the voice's own, as it were: what it was given stays as it is until the voice itself gives
/// something else, whatever the other voices do.
struct BusLane: ~Copyable {
  /// Motion of a voice, or of the device.
  enum Transport: Equatable {
    /// Nothing is heard.
    case stopped
    /// Frames are heard as the device goes on.
    case running
    /// The same, until stream frame `after` has been heard.
    case stopping(after: StreamFrame)
  }

  /// Sound, at the stream frames at which it is heard; silence outside.
  private(set) var frames: FrameRing
  var transport = Transport.stopped
  /// Stream frame up to which the voice has given something, silence included.
  private(set) var given: StreamFrame = 0
  /// First frame of what the voice has rewritten since it was last known to be in time; nil for none.
  var rewrittenFrom: StreamFrame?
  /// First frame of the sound that was given without a stop between; nil where none was.
  private(set) var soundBegin: StreamFrame?
  /// Frame at which that sound ends; `.max` where no stop is in sight.
  private(set) var soundEnd = StreamFrame.min
  /// Numbers of the duckings that make it softer, a bit each.
  var duckings: UInt64 = 0
  /// A voice has the lane.
  var isTaken = true

  /// A lane that holds `capacity` frames.
  init(channelCount: Int, capacity: Int) {
    frames = FrameRing(channelCount: channelCount, capacity: capacity)
  }

  /// Takes sound for `range` in the place of all from `range.lowerBound` on; what lies before `heard` may go.
  mutating func write(
    _ range: Range<StreamFrame>, heard: StreamFrame,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    cut(at: range.lowerBound, heard: heard)
    given = range.upperBound
    frames.reserve(range.count)
    let gap = range.lowerBound - frames.end
    if frames.count == 0 || gap >= Int64(frames.capacity - range.count) {
      frames.clear(at: range.lowerBound)
    } else {
      makeRoom(for: Int(gap) + range.count)
      frames.append(nil, frames: Int(gap))
    }
    frames.append(frames: range.count, render: render)
  }

  /// Takes note that sound from `frame` on was given.
  ///
  /// - Returns: where the sound before was to end: behind `frame`, or nil where another one begins.
  mutating func noteSound(from frame: StreamFrame) -> StreamFrame? {
    defer { soundEnd = .max }
    if soundBegin != nil, frame <= soundEnd { return soundEnd }
    soundBegin = frame
    return nil
  }

  /// Takes note that the sound ends at `frame`; false where it has ended before.
  mutating func noteStop(at frame: StreamFrame) -> Bool {
    guard soundBegin != nil, frame < soundEnd else { return false }
    soundEnd = frame
    return true
  }

  /// Takes silence for `range` in the place of all from `range.lowerBound` on.
  mutating func writeSilence(_ range: Range<StreamFrame>, heard: StreamFrame) {
    cut(at: range.lowerBound, heard: heard)
    given = range.upperBound
  }

  private mutating func cut(at frame: StreamFrame, heard: StreamFrame) {
    frames.discard(before: heard)
    if frame < frames.begin { frames.clear(at: frame) } else { frames.truncate(at: frame) }
  }

  /// Sees to it that `count` frames find room: the oldest ones go, which the device has taken.
  private mutating func makeRoom(for count: Int) {
    let lacking = count - frames.room
    if lacking > 0 { frames.discard(before: frames.begin + lacking) }
  }

  /// From `frame` on what was given goes out within `length` frames.
  mutating func fadeOut(at frame: StreamFrame, length: Int) {
    frames.fadeOut(at: frame, length: length)
    given = min(given, frame + length)
  }
}
