// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// The names of latencies.
enum LatencyChoice: String, CaseIterable, ExpressibleByArgument {
  case responsive
  case powerSaving = "power-saving"
  case balanced, low

  var latency: Latency {
    switch self {
    case .responsive: .responsive
    case .powerSaving: .powerSaving
    case .balanced: .balanced
    case .low: .low
    }
  }
}
