// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct NextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Has the service go to the next song.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("next", [])]) }
}
