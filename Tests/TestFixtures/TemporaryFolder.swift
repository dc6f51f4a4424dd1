// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is gone when the test is over.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let path: String

  /// Makes an empty folder.
  public init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "attacca-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // A thread that ends may be removing its files right now, as SQLite does its log when it is closed:
    // what the listing has named may be gone, and what comes behind it keeps the folder from going.
    for _ in 0..<10_000 {
      if (try? FileManager.default.removeItem(atPath: path)) != nil { return }
    }
    try! FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file and says where.
  public func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let place = "\(path)/\(name)"
    let folder = (place as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: place))
    return place
  }

  /// The bytes of a fixture.
  public static func bytes(of fixture: String) throws -> [UInt8] {
    try bytes(at: Fixtures.path(fixture))
  }

  /// The bytes of a file.
  public static func bytes(at path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }
}
