// SPDX-License-Identifier: Apache-2.0

import MediaTime

// What the sum goes through.
extension BusMix {
  /// Frames by which a change of a voice is heard in the sum before its own first frame.
  var latency: Int { effects?.pointee.reach.latency ?? 0 }

  /// Has the sum go through other effects from stream frame `k` on, by a crossfade.
  mutating func setEffects(_ setting: EffectSetting, at k: StreamFrame) {
    guard setting.number != effects?.pointee.setting.number ?? 0 else { return }
    let fade = Fade.standard.frames(at: sampleRate)
    let heard = UnsafeMutablePointer<Float>.allocate(capacity: fade * channelCount)
    defer { heard.deallocate() }
    render(from: k, frames: fade, into: heard)
    let old = effects
    effects = nil
    install(setting)
    if k < end, let effects {
      let reach = effects.pointee.reach
      // Lanes may have let go of what lies before; what the old effects were given goes further back.
      effects.pointee.take(k - Int64(reach.latency + reach.history)..<end, from: k) {
        if let old {
          old.pointee.copySum(from: $1, frames: $2, into: $0)
        } else {
          sum(from: $1, frames: $2, into: $0)
        }
      }
      effects.pointee.fadeIn(at: k, from: heard, frames: min(fade, Int(end - k)))
    }
    old?.deinitialize(count: 1)
    old?.deallocate()
    effectsEnd = setting.effects.isEmpty ? k + fade : .max
    delivered.outputChanged(from: k)
  }

  /// Lets go of effects that are none, once all up to where the last ones went out has been heard.
  mutating func forgetEffects(heard: StreamFrame) {
    guard heard >= effectsEnd else { return }
    removeEffects()
    (effects, effectsEnd) = (nil, .max)
  }

  /// The effects of `setting`, which have processed nothing; of none, where those that were there go out.
  mutating func install(_ setting: EffectSetting) {
    removeEffects()
    let place = UnsafeMutablePointer<BusEffects>.allocate(capacity: 1)
    place.initialize(to: BusEffects(setting, format: format, capacity: laneCapacity))
    effects = place
  }

  func removeEffects() {
    effects?.deinitialize(count: 1)
    effects?.deallocate()
  }

  /// Has the effects process what has changed in the sum; the frames that the device is to be given.
  func process(_ range: Range<StreamFrame>) -> Range<StreamFrame> {
    guard let effects else { return range }
    let first = range.lowerBound - Int64(effects.pointee.reach.latency)
    effects.pointee.take(range, from: first) { sum(from: $1, frames: $2, into: $0) }
    return first..<range.upperBound
  }

  /// Renders what the device is to play: the sum behind the effects.
  ///
  /// Called on the device's thread with its lock held; it neither allocates, locks, retains nor calls out.
  @_noLocks @_noAllocation
  func render(from frame: StreamFrame, frames: Int, into target: UnsafeMutablePointer<Float>) {
    guard let effects else { return mix(from: frame, frames: frames, into: target) }
    effects.pointee.output.copy(from: frame, frames: frames, into: target)
    let excess = Samples.excess(of: target, count: frames &* channelCount)
    clipped.mark(
      target, channelCount: channelCount, from: frame, frames: frames, exceeds: excess < 0)
  }

  /// Sums `frames` stream frames from `frame` on into `target`, block by block.
  func sum(from frame: StreamFrame, frames: Int, into target: UnsafeMutablePointer<Float>) {
    var done = 0
    while done < frames {
      let length = min(frames - done, Int(Self.block))
      _ = sumBlock(from: frame + done, frames: length, into: target + done * channelCount)
      done += length
    }
  }
}
