// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// The fate of the pitch at another speed.
enum PitchChoice: String, ExpressibleByArgument {
  case keep, follow

  var algorithm: AudioTimePitchAlgorithm {
    switch self {
    case .keep: .timeDomain
    case .follow: .varispeed
    }
  }
}
