// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct ClearQueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Takes all songs out of the queue.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("clear", [])]) }
}
