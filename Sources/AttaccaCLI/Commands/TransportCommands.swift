// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

// Clients of `attacca serve`, or of MPD, each a command of one word.

struct NextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Has the service go to the next song.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("next", [])]) }
}

struct PreviousCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous", abstract: "Has the service go to the previous song.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("previous", [])]) }
}

struct PauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Has the service pause.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("pause", ["1"])]) }
}

struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Has the service play on, or begin.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("play", [])]) }
}

struct StopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Has the service stop.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("stop", [])]) }
}
