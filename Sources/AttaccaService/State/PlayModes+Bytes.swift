// SPDX-License-Identifier: Apache-2.0

import Attacca

// Modes as the journal has them.
extension PlayModes {
  func write(to bytes: inout JournalBytes) {
    bytes.number(UInt8((repeats ? 1 : 0) | (isRandom ? 2 : 0) | (skipsSilence ? 4 : 0)))
    bytes.text(single.rawValue)
    bytes.text(consume.rawValue)
    bytes.count(crossfade)
    bytes.real(mixRampDecibels)
    bytes.real(mixRampDelay ?? .nan)
    bytes.text(replayGain.rawValue)
    bytes.real(speed)
  }

  init?(_ reader: inout JournalReader) {
    guard let flags = reader.number(UInt8.self),
      let single = reader.text().flatMap({ OneShot(rawValue: $0) }),
      let consume = reader.text().flatMap({ OneShot(rawValue: $0) }),
      let crossfade = reader.count(), let decibels = reader.real(), let delay = reader.real(),
      let gain = reader.text().flatMap({ LoudnessNormalization.Mode(rawValue: $0) }),
      let speed = reader.real(), Self.speeds.contains(abs(speed))
    else { return nil }
    self.init(
      repeats: flags & 1 != 0, isRandom: flags & 2 != 0, single: single, consume: consume,
      crossfade: Self.nearestCrossfade(to: crossfade), mixRampDecibels: decibels,
      mixRampDelay: delay.isNaN ? nil : delay,
      replayGain: gain, speed: speed, skipsSilence: flags & 4 != 0)
  }
}
