// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measures the engine on this machine.",
    discussion: """
      Sound servers are private ones without hardware, started and ended by the measurement. \
      Compare only figures of one machine, and of a release build.
      """,
    subcommands: [
      LatencyCommand.self, RenderBenchCommand.self, LoadBenchCommand.self, AllBenchCommand.self,
      ListenCommand.self,
    ])
}
