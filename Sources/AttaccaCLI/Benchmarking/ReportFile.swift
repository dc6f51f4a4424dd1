// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A text that is written into a file as a whole.
enum ReportFile {
  /// Writes `text` to `path`, over what may be there.
  static func write(_ text: String, to path: String) throws(BenchError) {
    guard let file = fopen(path, "w") else { throw error("fopen", path) }
    let isWritten = text.withCString { fputs($0, file) } >= 0
    guard fclose(file) == 0, isWritten else { throw error("fputs", path) }
  }

  private static func error(_ call: String, _ path: String) -> BenchError {
    BenchError("\(call) \(path): \(String(cString: strerror(errno)))")
  }
}
