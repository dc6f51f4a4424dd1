// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct PauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Has the service pause.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("pause", ["1"])]) }
}
