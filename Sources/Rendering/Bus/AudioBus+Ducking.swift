// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Preconditions

extension AudioBus {
  /// Has `renderers` be heard softer while `voice` is: an announcement over music.
  ///
  /// `renderers` go down in a straight line over `attack` from the first frame that `voice` is heard with, and come back
  /// over `release` from the frame behind its last one; a voice that comes again before they are back takes them down
  /// from where they are. A pause of `voice` and frames that it lacks are an end, silence in what it plays is
  /// none. It takes effect at once, also where `voice` is heard already. Their own volume is another factor,
  /// and so is what other voices do to them, 64 at most.
  ///
  /// Another call for the same `voice` takes the place of this one, and one for no renderers ends it.
  ///
  /// - Precondition: `decibels` is 0 or less, as -12, or minus infinity for silence. `attack` and `release` are
  ///   numeric and not negative. All are renderers of this bus, and `voice` is none of `renderers`.
  public func duck(
    _ renderers: [AudioRenderer], by decibels: Float,
    attack: MediaTime = MediaTime(value: 1, timescale: 20),
    release: MediaTime = MediaTime(value: 1, timescale: 2), while voice: AudioRenderer
  ) {
    require(decibels <= 0, "a ducking by \(decibels) dB; 0 and less are permitted")
    for (name, time) in [("attack", attack), ("release", release)] {
      require(
        time.isNumeric && time >= .zero,
        "an \(name) of \(time); 0 and longer numbers are permitted")
    }
    require(
      !renderers.contains { $0 === voice }, "a voice was to be ducked while it is heard itself")
    let (targets, trigger) = (renderers.map(self.voice), self.voice(of: voice))
    withLock {
      askPosition { [weak self] position in
        guard let self, voices.contains(where: { $0 === trigger }) else { return }
        guard !targets.isEmpty else {
          return mix.stopDucking(while: trigger.lane, at: position.replaceable)
        }
        let rule = BusDucking.Rule(
          trigger: trigger.lane, gain: Decibels.factor(decibels),
          attack: RationalTime(attack), release: RationalTime(release))
        let present = targets.filter { target in voices.contains { $0 === target } }
        mix.duck(
          present.map(\.lane), by: rule, at: position.replaceable, heard: certainlyHeard)
      }
    }
  }

  private func voice(of renderer: AudioRenderer) -> BusVoice {
    let voice = renderer.output as? BusVoice
    require(voice?.bus === self, "a renderer of another bus, or of none, was given to a bus")
    return voice!
  }
}
