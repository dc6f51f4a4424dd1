// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A server of files on loopback, which misbehaves as the first part of a path says (`Tests/RangeServer`).
///
/// It ends with this, and where the process of the tests does.
public final class RangeServer: @unchecked Sendable {
  // @unchecked: constant after `init`.
  /// All tests ask the same; each by paths of its own where the server counts.
  public static let shared = try! RangeServer()

  /// Where its files are.
  public let folder: String
  /// On loopback.
  public let port: Int
  private let process = Process()
  private let leash = Pipe()

  private struct Unstarted: Error {}

  private init() throws {
    var template = Array("/tmp/attacca-network-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Unstarted() }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("RangeServer/range_server.py").path
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

  /// The address of a file in `mode`.
  public func address(_ mode: String, _ name: String) -> String {
    "http://127.0.0.1:\(port)/\(mode)/\(name)"
  }

  /// Puts `bytes` there under `name`, whole at once.
  public func put(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name), options: .atomic)
  }

  /// What has been asked for at `path`, the ranges.
  public func requests(_ mode: String, _ name: String) throws -> [String] {
    try String(contentsOfFile: folder + "/requests", encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("/\(mode)/\(name) ") }
      .map { String($0.split(separator: " ", maxSplits: 1)[1]) }
  }
}
