// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Preconditions

// How loud voices are heard while others sound.
extension BusMix {
  /// From `k` on, while the voice of lane `trigger` sounds, those of `targets` are heard at the gain of `rule`.
  ///
  /// The rule replaces the one that `trigger` had before. All frames before `heard` have been heard.
  mutating func duck(
    _ targets: [Int], by rule: BusDucking.Rule, at k: StreamFrame, heard: StreamFrame
  ) {
    guard let trigger = rule.trigger else { return }
    stopDucking(while: trigger, at: k)
    let d = takeDucking(heard: heard)
    duckings[d] = BusDucking(rule)
    for lane in 0..<count {
      lanes[lane].duckings &= ~(1 << UInt64(d))
      if targets.contains(lane) { lanes[lane].duckings |= 1 << UInt64(d) }
    }
    let end = lanes[trigger].soundEnd
    guard let begin = lanes[trigger].soundBegin, end > k else { return }
    attack(d, at: max(begin, k))
    if end < .max { release(d, at: end) }
  }

  /// From `k` on the voice of lane `trigger` ducks no other.
  mutating func stopDucking(while trigger: Int, at k: StreamFrame) {
    for d in 0..<duckingCount where duckings[d].rule.trigger == trigger {
      release(d, at: k)
      duckings[d].rule.trigger = nil
    }
  }

  /// Number of a ducking that is not heard; where there is none left, of one that goes out.
  private mutating func takeDucking(heard: StreamFrame) -> Int {
    let released = (0..<duckingCount).filter { duckings[$0].rule.trigger == nil }
    if let free = released.first(where: { duckings[$0].gain.isUnity(from: heard) }) { return free }
    guard duckingCount == BusDucking.limit else {
      (duckings + duckingCount).initialize(to: BusDucking(BusDucking.Rule()))
      duckingCount += 1
      return duckingCount - 1
    }
    require(!released.isEmpty, "\(BusDucking.limit) voices duck others; no more are permitted")
    return released[0]
  }

  /// The voice of lane `i` has given sound from `frame` on.
  mutating func noteSound(of i: Int, from frame: StreamFrame) {
    let end = lanes[i].noteSound(from: frame)
    guard end != .max else { return }
    for d in 0..<duckingCount where duckings[d].rule.trigger == i {
      if let end {
        // It goes on behind what was to be its end.
        duckings[d].gain.cancel(from: end)
        gainChanged(from: end)
      } else {
        attack(d, at: frame)
      }
    }
  }

  private mutating func attack(_ d: Int, at frame: StreamFrame) {
    let rule = duckings[d].rule
    duckings[d].gain.ramp(to: rule.gain, at: frame, length: frames(rule.attack))
    gainChanged(from: frame)
  }

  /// Has the voices of ducking `d` come back to their own gain from stream frame `frame` on.
  mutating func release(_ d: Int, at frame: StreamFrame) {
    duckings[d].gain.ramp(to: 1, at: frame, length: frames(duckings[d].rule.release))
    gainChanged(from: frame)
  }

  private func frames(_ time: RationalTime) -> Int {
    Int(min(time.frames(at: sampleRate), Int64(Int32.max)))
  }

  /// Has the frames from `frame` on that the device has been given mixed anew; the others are when it gets them.
  private mutating func gainChanged(from frame: StreamFrame) {
    if frame < end { delivered.sumChanged(from: frame) }
  }

  /// Writes to `gains` how loud a voice of those duckings is heard, `frames` frames from `frame` on.
  ///
  /// - Returns: false where that is 1 throughout, and nothing was written.
  @_noLocks @_noAllocation
  func writeGains(of numbers: UInt64, from frame: StreamFrame, frames: Int) -> Bool {
    var isWritten = false
    var d = 0
    while d < duckingCount {
      if numbers & (1 &<< UInt64(truncatingIfNeeded: d)) != 0 {
        var done = 0
        while done < frames {
          let run = duckings[d].gain.run(at: frame &+ Int64(done), atMost: frames - done)
          if run.step != 0 || run.from != 1 {
            if !isWritten { for n in 0..<frames { gains[n] = 1 } }
            isWritten = true
            for n in 0..<run.frames { gains[done + n] *= run[n] }
          }
          done += run.frames
        }
      }
      d += 1
    }
    return isWritten
  }
}
