// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSeeds

/// What a storm is made of: where there are no commands, or no faults, more is known of what has to be heard.
struct ChaosWeather: CustomStringConvertible {
  /// What is done to the server, the way to it and the disk.
  enum Fault: String, CaseIterable {
    case stop, freeze, kill, remove, reformat, move, suspend, `default`, distance, cut, rate, stall
  }

  /// Empty for none.
  let faults: [Fault]
  let hasCommands: Bool
  /// Commands may be such that what is heard does not name itself.
  let isOdd: Bool

  /// Any; ATTACCA_CHAOS_FAULTS has it be those of some names, or none, with commas between.
  init(_ random: inout SplitMix64) {
    let given = ProcessInfo.processInfo.environment["ATTACCA_CHAOS_FAULTS"]
    let known = given.map { $0.split(separator: ",").compactMap { Fault(rawValue: String($0)) } }
    let kind = Int.random(in: 0..<4, using: &random)
    faults = kind == 0 ? [] : known ?? Fault.allCases
    hasCommands = kind != 1
    isOdd = kind == 3
  }

  var description: String {
    let names = faults == Fault.allCases ? "all faults" : "faults \(faults.map(\.rawValue))"
    return "\(names), \(hasCommands ? isOdd ? "all commands" : "commands" : "no commands")"
  }
}
