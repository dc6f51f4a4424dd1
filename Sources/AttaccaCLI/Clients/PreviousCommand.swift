// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct PreviousCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous", abstract: "Has the service go to the previous song.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("previous", [])]) }
}
