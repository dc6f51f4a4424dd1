// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One run of the built program, from its start to its end.
struct Attacca {
  let output: String
  let errors: String
  let status: Int32

  /// The program stands beside the test bundle, whichever way and where that was built.
  static let program = {
    let bundle = CommandLine.arguments.lazy.compactMap { argument in
      argument.hasSuffix(".xctest") ? URL(fileURLWithPath: argument) : nil
    }
    let here = bundle.first ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return here.deletingLastPathComponent().appendingPathComponent("attacca")
  }()

  /// The repository's.
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Runs `attacca` with arguments, in the repository's folder.
  ///
  /// `signal` is sent once it has printed `lines` lines; `environment` comes on top of the test's own;
  /// an empty value takes a variable out.
  init(_ arguments: String...) throws { try self.init(arguments) }

  init(
    _ arguments: [String], signal: Int32? = nil, afterLines lines: Int = 1,
    environment: [String: String] = [:]
  ) throws {
    try self.init(
      program: Self.program, arguments, signal: signal, afterLines: lines, environment: environment)
  }

  /// Runs a script, in which `$attacca` is the program: for arguments that are no text, which `printf`
  /// makes.
  init(script: String, environment: [String: String] = [:]) throws {
    try self.init(
      program: URL(fileURLWithPath: "/bin/sh"), ["-c", script], signal: nil, afterLines: 0,
      environment: environment.merging(["attacca": Self.program.path]) { $1 })
  }

  private init(
    program: URL, _ arguments: [String], signal: Int32?, afterLines lines: Int,
    environment: [String: String]
  ) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = Self.folder
    // No server answers there, so nothing depends on this machine's.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PULSE_SERVER": "unix:/nonexistent"].merging(environment) { $1 }, uniquingKeysWith: { $1 }
    ).filter { !$0.value.isEmpty }
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    try Self.withNoSignalBlocked { try process.run() }
    // What either stream brings here fits a pipe, so one can wait for the other.
    var text = Data()
    if let signal {
      while text.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
        let more = output.fileHandleForReading.availableData
        // It has ended by itself.
        if more.isEmpty { break }
        text += more
      }
      kill(process.processIdentifier, signal)
    }
    text += output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    self.output = String(decoding: text, as: UTF8.self)
    self.errors = String(decoding: complaint, as: UTF8.self)
    status = process.terminationStatus
  }

  /// Does `body` with no signal blocked, which what it starts inherits.
  ///
  /// Dispatch's threads have SIGCHLD blocked: a shell that waits for a process that lives then waits for good.
  private static func withNoSignalBlocked<R>(_ body: () throws -> R) rethrows -> R {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }
}
