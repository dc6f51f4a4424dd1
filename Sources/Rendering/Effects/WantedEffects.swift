// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// Effects that frames are to go through, and how many frames around one they need.
struct WantedEffects {
  /// Reach of a setting for frames of one format, as its processors have told.
  struct Reach {
    /// The setting's number.
    let setting: Int
    let format: AudioFormat
    let frames: EffectReach

    /// The reach of `setting` for frames of `format`: processors are made for it, which takes its time.
    init(of setting: EffectSetting, format: AudioFormat) {
      let processors = EffectChain.processors(setting, format: format)
      (self.setting, self.format) = (setting.number, format)
      frames = EffectReach(processors, sampleRate: format.sampleRate)
    }
  }

  /// The effects as they were set last.
  private(set) var setting = EffectSetting.none
  /// Reach of the setting for a format, as found out last; nil where nobody has asked.
  private(set) var known: Reach?

  /// `setting` is wanted from now on, whose reach is `known`.
  mutating func set(_ setting: EffectSetting, reach known: Reach) {
    (self.setting, self.known) = (setting, known)
  }

  /// Takes note of a reach, unless others have been set since it was asked for.
  mutating func learn(_ reach: Reach) {
    if setting.number == reach.setting { known = reach }
  }

  /// Frames that the effects need for frames of `format`; nil where that has to be found out.
  func reach(for format: AudioFormat) -> EffectReach? {
    if setting.effects.isEmpty { return EffectReach() }
    guard let known, known.setting == setting.number, known.format == format else { return nil }
    return known.frames
  }

  /// The reach that a line makes room for, which may be for another format; nil where there are no effects.
  var added: Reach? { setting.effects.isEmpty ? nil : known }
}
