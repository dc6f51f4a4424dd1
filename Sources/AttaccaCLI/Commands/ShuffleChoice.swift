// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// An order to play in, which a number decides.
struct ShuffleChoice: ExpressibleByArgument {
  let seed: UInt64

  private static let option = "--shuffle"
  /// The value of the option where no number follows.
  private static let any = "any"

  init?(argument: String) {
    if argument == Self.any {
      seed = .random(in: 0...999_999)
    } else {
      guard let seed = UInt64(argument) else { return nil }
      self.seed = seed
    }
  }

  /// The arguments with a value for each `--shuffle` that has none.
  ///
  /// The parser would take the file that follows for it.
  static func named(in arguments: [String]) -> [String] {
    var result: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      result.append(argument)
      if argument == "--" { return result + rest }
      guard argument == option else { continue }
      if let next = rest.first, UInt64(next) != nil { continue }
      result[result.count - 1] = "\(option)=\(any)"
    }
    return result
  }
}
