// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A text that is written into a file as a whole.
enum ReportFile {
  /// Writes `text` to `path`, over what may be there.
  static func write(_ text: String, to path: String) throws(BenchError) {
    guard let file = fopen(path, "w") else { throw BenchError(call: "fopen \(path)") }
    let isWritten = text.withCString { fputs($0, file) } >= 0
    guard fclose(file) == 0, isWritten else { throw BenchError(call: "fputs \(path)") }
  }

  /// Throws where `path` could not be written: a folder, or where there is none.
  static func check(_ path: String) throws(BenchError) {
    var status = stat()
    if stat(path, &status) == 0 {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      if isFolder { throw BenchError("\(path): is a folder, not a file to write") }
      guard access(path, W_OK) == 0 else { throw BenchError(call: "access \(path)") }
    } else {
      let parent = path.lastIndex(of: "/").map { path[..<$0] }
      let folder = parent.map { $0.isEmpty ? "/" : String($0) } ?? "."
      guard access(folder, W_OK) == 0 else { throw BenchError(call: "access \(folder)") }
    }
  }
}
