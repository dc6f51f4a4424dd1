// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct AttaccaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attacca",
    abstract: "Plays sound files without gaps.",
    discussion: """
      Exit status: 0 done, 1 wrong usage or no output, 2 nothing could be played, 3 some files \
      could not be played, 4 ended by a signal.
      """,
    version: "0.1.0",
    subcommands: [
      PlayCommand.self, RenderCommand.self, ProbeCommand.self, LoudnessCommand.self,
      ListCommand.self, DevicesCommand.self, BookmarksCommand.self, BenchCommand.self,
      ServeCommand.self, StatusCommand.self, NextCommand.self, PreviousCommand.self,
      PauseCommand.self, ResumeCommand.self, StopCommand.self, QueueCommand.self,
    ])
}
