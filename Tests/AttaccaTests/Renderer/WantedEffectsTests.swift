// SPDX-License-Identifier: Apache-2.0

@testable import Rendering
import SampleBuffers
import Testing

import Attacca

@Suite struct WantedEffectsTests {
  private static let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
  private static let other = AudioFormat(sampleRate: 44_100, layout: .stereo)

  @Test func `no effects reach nowhere, in any format`() {
    let effects = WantedEffects()
    #expect(effects.reach(for: Self.format) == EffectReach())
    #expect(effects.reach(for: Self.other) == EffectReach())
    #expect(effects.added == nil)
  }

  @Test func `the reach is known for the format that it was found out for`() {
    let setting = EffectSetting([LimiterEffect()])
    let reach = WantedEffects.Reach(of: setting, format: Self.format)
    var effects = WantedEffects()
    effects.set(setting, reach: reach)
    #expect(effects.reach(for: Self.format) == reach.frames)
    #expect(effects.reach(for: Self.other) == nil)
    // A line has room for what is known.
    #expect(effects.added?.frames == reach.frames)
    let learnt = WantedEffects.Reach(of: setting, format: Self.other)
    effects.learn(learnt)
    #expect(effects.reach(for: Self.other) == learnt.frames)
    #expect(effects.reach(for: Self.format) == nil)
  }

  @Test func `what is found out of effects that are wanted no more is not learnt`() {
    let (old, new) = (EffectSetting([LimiterEffect()]), EffectSetting([GainEffect(-3)]))
    var effects = WantedEffects()
    effects.set(new, reach: WantedEffects.Reach(of: new, format: Self.format))
    effects.learn(WantedEffects.Reach(of: old, format: Self.format))
    #expect(effects.known?.setting == new.number)
    #expect(effects.reach(for: Self.format) == EffectReach())
  }

  @Test func `none that are set again need no room`() {
    let (old, none) = (EffectSetting([LimiterEffect()]), EffectSetting([]))
    var effects = WantedEffects()
    effects.set(old, reach: WantedEffects.Reach(of: old, format: Self.format))
    effects.set(none, reach: WantedEffects.Reach(of: none, format: Self.format))
    #expect(effects.added == nil)
    #expect(effects.reach(for: Self.other) == EffectReach())
  }
}
