// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that goes away with this object.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("attacca-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { print("\(path): \(error)") }
  }

  func file(_ name: String) -> String { path + "/" + name }
}
