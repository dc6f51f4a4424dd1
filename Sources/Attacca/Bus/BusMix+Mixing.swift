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
      sum(from: at, frames: length, into: out)
      var marked = 0
      while marked < length {
        let first = at &+ Int64(marked)
        var group = Int(64 &- (first.number & 63))
        if group > length - marked { group = length - marked }
        clipped.mark(
          out + marked * channelCount, channelCount: channelCount, from: first, frames: group)
        marked += group
      }
      done += length
    }
  }

  @_noLocks @_noAllocation
  private func sum(from frame: StreamFrame, frames: Int, into target: UnsafeMutablePointer<Float>) {
    var isFirst = true
    var i = 0
    while i < count {
      if lanes[i].sounds(from: frame, frames: frames) {
        let isDucked =
          lanes[i].duckings != 0 && writeGains(of: lanes[i].duckings, from: frame, frames: frames)
        var done = 0
        while done < frames {
          let piece = lanes[i].frames.run(at: frame &+ Int64(done), atMost: frames - done)
          let out = target + done * channelCount
          let samples = piece.frames * channelCount
          // Not `for`: without optimization its ranges take five times as long, and a seek is late.
          var n = 0
          if let source = piece.start {
            if isDucked {
              add(source, at: gains + done, frames: piece.frames, to: out, isFirst: isFirst)
            } else if isFirst {
              while n < samples {
                out[n] = source[n]
                n &+= 1
              }
            } else {
              while n < samples {
                out[n] += source[n]
                n &+= 1
              }
            }
          } else if isFirst {
            while n < samples {
              out[n] = 0
              n &+= 1
            }
          }
          done += piece.frames
        }
        isFirst = false
      }
      i += 1
    }
    guard isFirst else { return }
    var n = 0
    while n < frames * channelCount {
      target[n] = 0
      n &+= 1
    }
  }
}

extension BusMix {
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
  /// Whether a frame of `frames` frames from `frame` on may be no silence.
  @_noLocks @_noAllocation
  func sounds(from frame: StreamFrame, frames length: Int) -> Bool {
    frames.begin < frame &+ Int64(length) && frames.end > frame
  }
}
