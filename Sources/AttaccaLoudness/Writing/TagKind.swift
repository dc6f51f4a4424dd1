// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The ways in which files have tags that can be written here.
enum TagKind: String {
  case flac, vorbis, opus, mpeg, mpeg4

  /// nil where none is known of files of `format`.
  init?(_ format: FileFormat) {
    switch (format.container, format.encoding) {
    case (.flac, _): self = .flac
    case (.ogg, .lossy("Vorbis")): self = .vorbis
    case (.ogg, .lossy("Opus")): self = .opus
    case (.mpeg, _): self = .mpeg
    case (.mpeg4, _): self = .mpeg4
    default: return nil
    }
  }

  /// Names with the values that say `loudness`, or nil for those that are to go; what it does not have stays.
  func entries(_ loudness: ReplayGain) -> [(name: String, value: String?)] {
    var entries: [(String, String?)] = []
    for (kind, value) in [("TRACK", loudness.track), ("ALBUM", loudness.album)] {
      guard let value else { continue }
      let (gain, peak) = ("REPLAYGAIN_\(kind)_GAIN", "REPLAYGAIN_\(kind)_PEAK")
      if self == .opus {
        // RFC 7845 has a file bear no other.
        entries += [("R128_\(kind)_GAIN", TagText.opusGain(value.gain)), (gain, nil), (peak, nil)]
      } else {
        entries += [(gain, TagText.gain(value.gain)), (peak, value.peak.map(TagText.peak))]
      }
    }
    // Of another measurement, it would say something untrue of this one.
    return entries + [("REPLAYGAIN_REFERENCE_LOUDNESS", nil)]
  }
}
