// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The place of the program `attacca-decode`.
enum DecodingProgramPlace {
  /// What the variable ATTACCA_DECODE names; else beside this program, in ../libexec/attacca, or in PATH.
  static var path: String? {
    if let named = getenv("ATTACCA_DECODE") { return String(cString: named) }
    let folder = String(folderOfProgram)
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let folders =
      [folder, folder + "/../libexec/attacca"]
      + search.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
    return folders.map { $0 + "/attacca-decode" }.first { access($0, X_OK) == 0 }
  }

  private static var folderOfProgram: Substring {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &bytes, bytes.count)
    guard length > 0 else { return "" }
    let path = String(decoding: bytes[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
  }
}
