// SPDX-License-Identifier: Apache-2.0

import Glibc
import Preconditions
public import SoundFiles

/// Gains that bring items to one loudness, by what the tags of their files say of it.
///
/// `SampleBufferPlayer.loudnessNormalization` and `Bounce` take it. The gain is added to the item's own
/// (`PlaylistItem.gain`), behind effects.
public struct LoudnessNormalization: Hashable, Sendable {
  /// Choice between the loudness of a file and that of its album; raw values are the names that MPD has for it.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Items are heard as their files have them.
    case off
    /// Each item by its own loudness: all are as loud.
    case track
    /// Each item by its album's loudness: tracks of an album differ as they were meant to.
    case album
    /// By the album where the list has an item between tracks of its album, by its own loudness elsewhere.
    ///
    /// The item before it or the one behind it in the list, as it is shuffled, is the track before it or behind it on
    /// the same album, by their tags. Whether that is so is found out when an item is begun, and stays until it is
    /// begun again. Neighbours are opened for it where they are files; of others only what is known by then counts.
    case automatic = "auto"
  }

  /// Means against samples beyond full scale.
  public enum ClippingGuard: Hashable, Sendable, CaseIterable {
    /// None: what is beyond full scale is clipped by the device, or limited by a `LimiterEffect` of an `AudioBus`,
    /// whose effects come behind gains.
    case none
    /// The gain is not greater than the peak in the tags lets it be: the album's peak with the album's gain.
    ///
    /// A peak that the tags do not tell is taken for full scale: no gain above 0 dB.
    case peak
  }

  /// Choice between the loudness of a file and that of its album; where the tags have one of them only, it is that.
  public var mode: Mode
  /// Decibels added to the gains that tags tell, -40 to 40.
  public var preamp: Float {
    didSet { Self.check(preamp, "preamp") }
  }
  /// Decibels by which items are louder whose tags tell no gain, -40 to 40; the preamp is not added.
  public var defaultGain: Float {
    didSet { Self.check(defaultGain, "default gain") }
  }
  /// Means against samples beyond full scale.
  public var clippingGuard: ClippingGuard

  /// Items as their files have them, or gains by `mode`.
  ///
  /// - Precondition: `preamp` and `defaultGain` are in -40...40.
  public init(
    mode: Mode = .off, preamp: Float = 0, defaultGain: Float = 0,
    clippingGuard: ClippingGuard = .peak
  ) {
    Self.check(preamp, "preamp")
    Self.check(defaultGain, "default gain")
    (self.mode, self.preamp) = (mode, preamp)
    (self.defaultGain, self.clippingGuard) = (defaultGain, clippingGuard)
  }

  private static func check(_ gain: Float, _ name: String) {
    require((-40...40).contains(gain), "a \(name) of \(gain) dB; -40 to 40 are permitted")
  }

  /// Decibels for an item whose tags tell `replayGain`; `isInAlbum` counts in the automatic mode.
  public func gain(for replayGain: ReplayGain, isInAlbum: Bool) -> Float {
    let prefersAlbum: Bool
    switch mode {
    case .off: return 0
    case .track: prefersAlbum = false
    case .album: prefersAlbum = true
    case .automatic: prefersAlbum = isInAlbum
    }
    let (track, album) = (replayGain.track, replayGain.album)
    let value = prefersAlbum ? album ?? track : track ?? album
    let gain = value.map { $0.gain + Double(preamp) } ?? Double(defaultGain)
    guard clippingGuard == .peak else { return Float(gain) }
    return Float(min(gain, -20 * log10(value?.peak ?? 1)))
  }
}
