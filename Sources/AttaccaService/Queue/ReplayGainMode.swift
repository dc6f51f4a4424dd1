// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Choice of the loudness that songs are brought to, by MPD's names.
enum ReplayGainMode: String, Sendable {
  case off, track, album, auto

  var mode: LoudnessNormalization.Mode {
    switch self {
    case .off: .off
    case .track: .track
    case .album: .album
    case .auto: .automatic
    }
  }
}
