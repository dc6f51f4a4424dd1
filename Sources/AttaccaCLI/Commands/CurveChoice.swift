// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// The gains of two items that overlap, as an option says it.
enum CurveChoice: String, ExpressibleByArgument, CaseIterable {
  case equalPower = "equal-power"
  case linear

  var curve: ItemCrossfade.Curve {
    switch self {
    case .equalPower: .equalPower
    case .linear: .linear
    }
  }
}
