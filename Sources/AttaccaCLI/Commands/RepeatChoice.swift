// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// The names of what is repeated.
enum RepeatChoice: String, ExpressibleByArgument {
  case off, one, all

  var mode: RepeatMode {
    switch self {
    case .off: .off
    case .one: .one
    case .all: .all
    }
  }
}
