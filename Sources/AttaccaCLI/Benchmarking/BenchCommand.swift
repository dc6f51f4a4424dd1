// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measures the engine on this machine.",
    subcommands: [LatencyCommand.self])
}
