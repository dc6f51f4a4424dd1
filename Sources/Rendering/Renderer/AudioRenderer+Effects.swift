// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

extension AudioRenderer {
  /// The effects that all sound goes through on its way to the device, in this order, before gains and volume; none at
  /// first.
  ///
  /// Effects process what is converted to the device's format, at the speed and in the direction in which it
  /// is heard, about two seconds before that: on the thread that enqueues, or one of the engine's, never on
  /// the one that the sound server waits for. Media time stays true to the frame whatever their latency is.
  /// Their state goes on from item to item; a seek, a skip and another rate begin with a new one.
  ///
  /// Others take over in what has been prepared already, `earliestChange` from now and what it takes to
  /// prepare a quarter of a second: a crossfade of 5 ms. To change a parameter, set the effects again.
  ///
  /// - Precondition: their latencies are half a second at most together, their tails ten seconds.
  public var effects: [any AudioEffect] {
    get { output.withLock { wanted.effects.setting.effects } }
    set {
      let setting = EffectSetting(newValue)
      let reach = WantedEffects.Reach(of: setting, format: format)
      // Effects are another's code: those that were there go without the lock.
      let old = output.withLock {
        let old = wanted.effects
        wanted.effects.set(setting, reach: reach)
        line.reserve(capacity(for: wanted.speed.pace))
        makeAnew()
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Frames that the effects need around a frame, at the device's present format; any thread.
  package func effectReach() -> EffectReach {
    let (effects, format) = output.withLock { (wanted.effects, self.format) }
    if let reach = effects.reach(for: format) { return reach }
    let new = WantedEffects.Reach(of: effects.setting, format: format)
    output.withLock { wanted.effects.learn(new) }
    return new.frames
  }

  /// Frames that a line holds, for content at `pace` and what effects add; with the output's lock held.
  func capacity(for pace: Pace) -> Int {
    guard let added = wanted.effects.added else { return Self.capacity(of: output, format, pace) }
    let frames = (added.frames.latency + added.frames.tail) * format.sampleRate
    return Self.capacity(of: output, format, pace) + frames / added.format.sampleRate + 1
  }
}
