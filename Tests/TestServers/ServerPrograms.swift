// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where the programs of the sound servers are looked for.
enum ServerPrograms {
  /// The folder that `scripts/fetch-servers` fills, before what is installed.
  static let searchPath = {
    let project = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let installed = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return project.appendingPathComponent(".servers/bin").path + ":" + installed
  }()

  /// The file that runs for `command`; nil where there is none.
  static func path(of command: String) -> String? {
    searchPath.split(separator: ":").map { "\($0)/\(command)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
