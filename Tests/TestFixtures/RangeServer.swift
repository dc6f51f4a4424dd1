// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A server of files on loopback, which misbehaves as the first part of a path says (`Tests/RangeServer`).
///
/// It ends with this, and where the process of the tests does.
public final class RangeServer: Sendable {
  /// All tests ask the same; each by paths of its own where the server counts.
  public static let shared = try! RangeServer()

  private let server: LeashedServer
  /// Where its files are.
  public var folder: String { server.folder }
  /// On loopback.
  public var port: Int { server.port }

  /// Another one, which ends with its last owner.
  public init() throws { server = try LeashedServer("range_server.py") }

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
    try lines(of: "requests", "/\(mode)/\(name)")
  }

  /// What has been answered there with a tag or a date: a status and a number of bytes, as "206 1000".
  public func answers(_ mode: String, _ name: String) throws -> [String] {
    try lines(of: "answers", "/\(mode)/\(name)")
  }

  private func lines(of file: String, _ path: String) throws -> [String] {
    try String(contentsOfFile: folder + "/" + file, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix(path + " ") }
      .map { String($0.split(separator: " ", maxSplits: 1)[1]) }
  }
}
