// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Preconditions

/// Frames in the device's format, addressed by stream frame.
///
/// Holds one window `begin..<end`; whatever lies outside reads as silence. Nothing here locks or
/// allocates after `init` but `reserve`: reading is part of the render path.
struct FrameRing: ~Copyable {
  let channelCount: Int
  /// Frames that fit.
  private(set) var capacity: Int
  /// The first frame held.
  private(set) var begin: StreamFrame = 0
  /// The frame after the last one held.
  private(set) var end: StreamFrame = 0
  /// Stream frame of slot 0, at or below every frame ever held since the last `shift`.
  private var origin: StreamFrame = 0
  // Owned: allocated here, freed in `deinit` or by `reserve`, never handed out.
  private var samples: UnsafeMutablePointer<Float>

  init(channelCount: Int, capacity: Int) {
    require(channelCount > 0 && capacity > 0, "\(capacity) frames of \(channelCount) channels")
    (self.channelCount, self.capacity) = (channelCount, capacity)
    samples = .allocate(capacity: channelCount * capacity)
  }

  deinit { samples.deallocate() }

  var count: Int { Int(end - begin) }
  var room: Int { capacity - count }

  /// Sees to it that `frames` frames fit.
  mutating func reserve(_ frames: Int) {
    guard frames > capacity else { return }
    let larger = UnsafeMutablePointer<Float>.allocate(capacity: channelCount * frames)
    copy(from: begin, frames: count, into: larger)
    samples.deallocate()
    (samples, capacity, origin) = (larger, frames, begin)
  }

  /// Empties the ring; the next frame appended is `frame`.
  mutating func clear(at frame: StreamFrame) {
    (begin, end) = (frame, frame)
    origin = frame
  }

  /// Forgets what lies before `frame`.
  mutating func discard(before frame: StreamFrame) {
    begin = min(max(begin, frame), end)
  }

  /// Forgets `frame` and what follows it.
  mutating func truncate(at frame: StreamFrame) {
    end = min(max(frame, begin), end)
  }

  /// Gives every frame held the number `frame + delta`.
  mutating func shift(by delta: Int64) {
    begin += delta
    end += delta
    origin += delta
  }

  /// Adds frames at `end`, silence where `source` is nil.
  ///
  /// - Returns: the frames taken, as many as find room.
  @discardableResult
  mutating func append(_ source: UnsafePointer<Float>?, frames: Int) -> Int {
    let taken = min(frames, room)
    write(source, at: end, frames: taken)
    end += taken
    return taken
  }

  /// Adds frames at `end` that `render` makes in the ring's memory, run by run: it is given the memory, the
  /// first frame and their number.
  ///
  /// - Precondition: they find room.
  mutating func append(
    frames: Int, render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    require(frames <= room, "\(frames) frames, with room for \(room)")
    var left = frames
    while left > 0 {
      let slot = self.slot(of: end)
      let run = min(left, capacity - slot)
      render(samples + slot * channelCount, end, run)
      end += run
      left -= run
    }
  }

  /// Multiplies the held frames from `frame` on by a straight line from 1 to 0, which is 0 `length` frames
  /// later, and forgets what follows.
  mutating func fadeOut(at frame: StreamFrame, length: Int) {
    truncate(at: frame + length)
    var at = max(frame, begin)
    while at < end {
      let factor = 1 - Float(at - frame) / Float(length)
      let out = samples + slot(of: at) * channelCount
      for i in 0..<channelCount { out[i] *= factor }
      at += 1
    }
  }

  /// Replaces those of `frames` frames from `frame` on that are held already.
  mutating func overwrite(_ source: UnsafePointer<Float>, at frame: StreamFrame, frames: Int) {
    let first = max(frame, begin)
    let last = min(frame + frames, end)
    guard first < last else { return }
    write(source + Int(first - frame) * channelCount, at: first, frames: Int(last - first))
  }

  private func write(_ source: UnsafePointer<Float>?, at frame: StreamFrame, frames: Int) {
    var done = 0
    while done < frames {
      let slot = self.slot(of: frame + done)
      let run = min(frames - done, capacity - slot)
      let target = samples + slot * channelCount
      if let source {
        target.update(from: source + done * channelCount, count: run * channelCount)
      } else {
        target.update(repeating: 0, count: run * channelCount)
      }
      done += run
    }
  }

  @_noLocks @_noAllocation
  private func slot(of frame: StreamFrame) -> Int {
    let slot = Int((frame &- origin) % Int64(capacity))
    return slot < 0 ? slot + capacity : slot
  }

  /// The held frames from `frame` on that lie in one piece of memory, at most `frames` of them.
  ///
  /// `start` is nil for a run that is not held, and reads as silence.
  @_noLocks @_noAllocation
  func run(at frame: StreamFrame, atMost frames: Int) -> (start: UnsafePointer<Float>?, frames: Int)
  {
    // Written out: `min` is generic, and in a debug build may take a lock for its metadata.
    if frame < begin {
      let missing = begin &- frame
      return (nil, missing < Int64(frames) ? Int(missing) : frames)
    }
    if frame >= end { return (nil, frames) }
    let slot = self.slot(of: frame)
    var run = frames
    if run > capacity - slot { run = capacity - slot }
    if Int64(run) > end &- frame { run = Int(end &- frame) }
    return (UnsafePointer(samples + slot * channelCount), run)
  }

  /// Copies `frames` frames from `frame` on, silence where none are held.
  @_noLocks @_noAllocation
  func copy(from frame: StreamFrame, frames: Int, into target: UnsafeMutablePointer<Float>) {
    var done = 0
    while done < frames {
      let run = self.run(at: frame &+ Int64(done), atMost: frames - done)
      let out = target + done * channelCount
      let count = run.frames * channelCount
      if let start = run.start {
        for i in 0..<count { out[i] = start[i] }
      } else {
        for i in 0..<count { out[i] = 0 }
      }
      done += run.frames
    }
  }
}
