// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct StopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Has the service stop.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("stop", [])]) }
}
