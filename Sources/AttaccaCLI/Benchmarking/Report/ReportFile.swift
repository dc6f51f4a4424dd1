// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc

/// A text that is written into a file as a whole.
enum ReportFile {
  /// Writes `text` to `path`, over what may be there.
  static func write(_ text: String, to path: BytePath) throws(BenchError) {
    guard let file = path.withCString({ fopen($0, "w") }) else {
      throw BenchError(call: "fopen \(path)")
    }
    let isWritten = text.withCString { fputs($0, file) } >= 0
    guard fclose(file) == 0, isWritten else { throw BenchError(call: "fputs \(path)") }
  }

  /// Throws where `path` could not be written: a folder, or where there is none.
  static func check(_ path: BytePath) throws(BenchError) {
    if path.isFolder { throw BenchError("\(path): is a folder, not a file to write") }
    if path.withCString({ access($0, F_OK) }) == 0 {
      guard path.withCString({ access($0, W_OK) }) == 0 else {
        throw BenchError(call: "access \(path)")
      }
    } else {
      let parent = path.folder.bytes.dropLast()
      let folder = parent.isEmpty ? (path.isAbsolute ? "/" : ".") : BytePath(bytes: parent)
      guard folder.withCString({ access($0, W_OK) }) == 0 else {
        throw BenchError(call: "access \(folder)")
      }
    }
  }
}
