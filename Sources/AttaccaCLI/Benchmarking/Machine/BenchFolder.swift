// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A temporary folder that goes with this object, or with the process.
final class BenchFolder {
  let path: String
  private let broom: LeashedShell

  /// Makes one in `TMPDIR`, or in /tmp.
  ///
  /// - Throws: where none can be made.
  init() throws(BenchError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/attacca-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BenchError(call: "mkdtemp in \(parent)")
    }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    broom = try LeashedShell(
      "read -r _; rm -rf \"$FOLDER\"",
      environment: ["PATH": LeashedShell.searchPath, "FOLDER": path])
  }
}
