// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// The output that `play` plays to.
enum OutputChoice: Hashable, ExpressibleByArgument, CustomStringConvertible {
  case auto, pulse, null
  case file(BytePath)

  init?(argument: String) {
    switch argument {
    case "": return nil
    case "auto": self = .auto
    case "pulse": self = .pulse
    case "null": self = .null
    default: self = .file(BytePath(argument: argument) ?? BytePath(argument))
    }
  }

  var description: String {
    switch self {
    case .auto: "auto"
    case .pulse: "pulse"
    case .null: "null"
    case .file(let path): path.text
    }
  }

  var defaultValueDescription: String { description }
}
