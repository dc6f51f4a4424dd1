// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// The names of the loudness that gains go by.
enum ReplayGainChoice: String, ExpressibleByArgument {
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
