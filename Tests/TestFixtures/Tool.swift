// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that a test runs to its end.
public enum Tool {
  /// - Returns: what it wrote to its standard output.
  @discardableResult
  public static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // mkvmerge ends with 1 where it has warned.
    guard process.terminationStatus == 0 || program == "mkvmerge" && process.terminationStatus == 1
    else { throw ToolError(program: program, status: process.terminationStatus) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Runs a script with mutagen, as Debian has it; `arguments` are its `sys.argv[1:]`.
  @discardableResult
  public static func mutagen(_ script: String, _ arguments: String...) throws -> String {
    try run("/usr/bin/python3", ["-c", "import sys\npath = sys.argv[1]\n" + script] + arguments)
  }
}

/// A program that ended with another status than 0.
public struct ToolError: Error, CustomStringConvertible {
  let program: String
  let status: Int32
  /// The program and its status.
  public var description: String {
    "\(program) ended with status \(status) (127 means: make setup-test)"
  }
}
