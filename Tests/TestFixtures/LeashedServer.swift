// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A server on loopback, a script in `Tests/RangeServer`, which ends with this and with the process of the tests.
///
/// The script serves a folder, prints its port, and ends where its standard input does.
public final class LeashedServer: @unchecked Sendable {
  // @unchecked: constant after `init`.
  /// The folder that is served.
  public let folder: String
  /// The port, on loopback.
  public let port: Int
  private let process = Process()
  private let leash = Pipe()

  private struct Unstarted: Error {}

  /// Starts the script called `name`; its folder is a new one.
  public init(_ name: String) throws {
    var template = Array("/tmp/attacca-network-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Unstarted() }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("RangeServer/\(name)").path
    let answer = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script, folder]
    process.standardInput = leash
    process.standardOutput = answer
    try process.run()
    let line = String(decoding: answer.fileHandleForReading.availableData, as: UTF8.self)
    guard let number = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Unstarted()
    }
    port = number
  }

  deinit {
    leash.fileHandleForWriting.closeFile()
    process.waitUntilExit()
  }
}
