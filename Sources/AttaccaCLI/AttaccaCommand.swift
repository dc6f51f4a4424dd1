// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct AttaccaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "attacca")
}
