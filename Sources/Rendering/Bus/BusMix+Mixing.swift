// SPDX-License-Identifier: Apache-2.0

import MediaTime

// The render path.
extension BusMix {
  /// Sums `frames` stream frames from `frame` on into `target`, and marks those that exceed full scale.
  ///
  /// Called on the device's thread with its lock held; it neither allocates, locks, retains nor calls out.
  /// Voices are added in the order of their lanes: the sum is the same however often it is made.
  @_noLocks @_noAllocation
  func mix(from frame: StreamFrame, frames: Int, into target: UnsafeMutablePointer<Float>) {
    var done = 0
    while done < frames {
      let at = frame &+ Int64(done)
      let block = Self.block
      var length = Int(block &- (at.number & (block &- 1)))
      if length > frames - done { length = frames - done }
      let out = target + done * channelCount
      let excess = sumBlock(from: at, frames: length, into: out)
      clipped.mark(
        out, channelCount: channelCount, from: at, frames: length, exceeds: excess < 0)
      done += length
    }
  }

  /// Sums `block` frames at most.
  ///
  /// A voice waits until the next one is known, so that each sum is written once: copied with one voice,
  /// added in one pass with two.
  ///
  /// - Returns: less than 0 where a sample exceeds full scale.
  @_noLocks @_noAllocation
  func sumBlock(
    from frame: StreamFrame, frames: Int, into target: UnsafeMutablePointer<Float>
  ) -> Int32 {
    let samples = frames &* channelCount
    var waiting: UnsafePointer<Float>?
    var isBegun = false
    var excess: Int32 = 0
    var i = 0
    while i < count {
      if lanes[i].sounds(from: frame, frames: frames) {
        let isDucked =
          lanes[i].duckings != 0 && writeGains(of: lanes[i].duckings, from: frame, frames: frames)
        let piece = lanes[i].frames.run(at: frame, atMost: frames)
        if !isDucked, piece.frames == frames, let source = piece.start {
          if let other = waiting {
            excess =
              isBegun
              ? Samples.add(other, source, count: samples, to: target)
              : Samples.sum(other, source, count: samples, into: target)
            (waiting, isBegun) = (nil, true)
          } else {
            waiting = source
          }
        } else {
          excess = settle(waiting, isBegun, count: samples, in: target, excess)
          isBegun = isBegun || waiting != nil
          waiting = nil
          addPieces(of: i, from: frame, frames: frames, isDucked, isFirst: !isBegun, to: target)
          excess = Samples.excess(of: target, count: samples)
          isBegun = true
        }
      }
      i &+= 1
    }
    if waiting == nil, !isBegun {
      Samples.clear(target, count: samples)
      return 0
    }
    return settle(waiting, isBegun, count: samples, in: target, excess)
  }

  /// Adds the samples that wait, if some do, or begins the sum with them.
  @_noLocks @_noAllocation
  private func settle(
    _ waiting: UnsafePointer<Float>?, _ isBegun: Bool, count: Int,
    in target: UnsafeMutablePointer<Float>, _ excess: Int32
  ) -> Int32 {
    guard let waiting else { return excess }
    return isBegun
      ? Samples.add(waiting, count: count, to: target)
      : Samples.copy(waiting, count: count, into: target)
  }

  /// Adds a voice that is not held in one piece, or is ducked.
  @_noLocks @_noAllocation
  private func addPieces(
    of i: Int, from frame: StreamFrame, frames: Int, _ isDucked: Bool, isFirst: Bool,
    to target: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    while done < frames {
      let piece = lanes[i].frames.run(at: frame &+ Int64(done), atMost: frames - done)
      let out = target + done * channelCount
      let samples = piece.frames * channelCount
      if let source = piece.start {
        if isDucked {
          add(source, at: gains + done, frames: piece.frames, to: out, isFirst: isFirst)
        } else if isFirst {
          _ = Samples.copy(source, count: samples, into: out)
        } else {
          _ = Samples.add(source, count: samples, to: out)
        }
      } else if isFirst {
        Samples.clear(out, count: samples)
      }
      done += piece.frames
    }
  }

  /// Adds frames of `source` at `gains`, or begins a sum with them.
  @_noLocks @_noAllocation
  private func add(
    _ source: UnsafePointer<Float>, at gains: UnsafePointer<Float>, frames: Int,
    to target: UnsafeMutablePointer<Float>, isFirst: Bool
  ) {
    for n in 0..<frames {
      for i in (n &* channelCount)..<((n &+ 1) &* channelCount) {
        let sample = source[i] * gains[n]
        target[i] = isFirst ? sample : target[i] + sample
      }
    }
  }
}

extension BusLane {
  /// Tells whether a frame of `frames` frames from `frame` on may be no silence.
  @_noLocks @_noAllocation
  func sounds(from frame: StreamFrame, frames length: Int) -> Bool {
    frames.begin < frame &+ Int64(length) && frames.end > frame
  }
}
