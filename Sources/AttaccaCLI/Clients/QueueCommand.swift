// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Shows and changes the queue of the service.",
    subcommands: [AddToQueueCommand.self, ListQueueCommand.self, ClearQueueCommand.self],
    defaultSubcommand: ListQueueCommand.self)
}
