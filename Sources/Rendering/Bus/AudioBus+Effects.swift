// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers
import Synchronization

extension AudioBus {
  /// Effects that the sum goes through on its way to the device, in this order; none at first.
  ///
  /// A `LimiterEffect` here keeps voices that are too loud together below full scale. What is heard is what
  /// the effects make of the whole sum, whatever voices come, go and rewrite: where the sum changes, new
  /// processors are given their `history` of it before, half a second at most. An edit of a voice is heard later
  /// by the effects' latency; media times stay true to the frame. Where the last voice stops, what still dies
  /// away is cut off.
  ///
  /// Unlike those of a renderer, they run while the device waits for frames, on its thread: for twice its
  /// buffer at most, and for what an edit rewrites. One that allocates, locks or waits much in `process` can
  /// have the sound break off (docs/effects.md).
  ///
  /// Others take over at once, by a crossfade of 5 ms.
  ///
  /// - Precondition: their latencies are half a second at most together, their tails ten seconds.
  public var effects: [any AudioEffect] {
    get { withLock { effectSetting.effects } }
    set {
      let setting = EffectSetting(newValue)
      // What is not permitted traps here, not on the device's thread.
      let format = device.format
      _ = EffectReach(
        EffectChain.processors(setting, format: format), sampleRate: format.sampleRate)
      withLock {
        let old = effectSetting
        effectSetting = setting
        askPosition { [weak self] position in
          // Effects are another's code: those that were there go without the lock.
          defer { DispatchQueue(label: "attacca.effects").async { withExtendedLifetime(old) {} } }
          guard let self, effectSetting.number == setting.number else { return }
          mix.setEffects(setting, at: position.replaceable - Int64(mix.latency))
          latency.store(mix.latency, ordering: .relaxed)
        }
      }
    }
  }
}
