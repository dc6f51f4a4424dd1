// SPDX-License-Identifier: Apache-2.0

import Testing

struct UsageTests {
  @Test func `help names all commands and ends with 0`() throws {
    let run = try Attacca("--help")
    #expect(run.status == 0)
    for command in ["play", "render", "probe", "devices"] {
      #expect(run.output.contains("  \(command) "))
    }
    #expect(run.errors.isEmpty)
  }

  @Test(arguments: ["play", "render", "probe", "devices"])
  func `each command has help`(command: String) throws {
    let run = try Attacca(command, "--help")
    #expect(run.status == 0)
    #expect(run.output.contains("USAGE: attacca \(command)"))
  }

  @Test func `the version is three numbers`() throws {
    let run = try Attacca("--version")
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  @Test(arguments: [
    ["play"], ["sing"], ["play", "--fade", "1001", "x.wav"], ["play", "--start", "1:60", "x.wav"],
    ["play", "--latency", "none", "x.wav"], ["render", "x.wav"],
    ["play", "--speed", "0", "x.wav"], ["play", "--speed", "33", "x.wav"],
    ["play", "--speed", "-33", "x.wav"], ["play", "--speed", "-0", "x.wav"],
    ["play", "--pitch", "up", "x.wav"], ["render", "x.wav", "-o", "y.wav", "--speed", "33"],
    ["play", "--output", "null", "--device", "hall", "x.wav"],
    ["play", "--output", "y.wav", "--device", "hall", "x.wav"],
    ["render", "x.wav", "-o", "y.wav", "--rate", "0"],
    ["render", "x.wav", "-o", "y.wav", "--channels", "9"],
    ["render", "x.wav", "-o", "y.wav", "--format", "int8"],
    ["render", "x.wav", "-o", "y.mp3"],
  ])
  func `wrong usage is said on standard error and ends with 1`(arguments: [String]) throws {
    let run = try Attacca(arguments)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(!run.errors.isEmpty)
  }

  @Test func `without a server devices ends with 1 and says what to do`() throws {
    let run = try Attacca("devices")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("PULSE_SERVER"))
  }
}
