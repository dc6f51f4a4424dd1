// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// The names of conversion qualities.
enum QualityChoice: String, ExpressibleByArgument {
  case quick, low, medium, high
  case veryHigh = "very-high"

  var quality: RateConverter.Quality {
    switch self {
    case .quick: .quick
    case .low: .low
    case .medium: .medium
    case .high: .high
    case .veryHigh: .veryHigh
    }
  }
}
