// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Has the service play on, or begin.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("play", [])]) }
}
