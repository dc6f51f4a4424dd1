// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The place of a program that does a part of the work in a process of its own.
package struct ProgramPlace: Sendable {
  private let name: String
  private let variable: String

  /// The place of the program `attacca-decode`, or what ATTACCA_DECODE names.
  static let decoder = ProgramPlace(name: "attacca-decode", variable: "ATTACCA_DECODE")
  /// The place of the program `attacca-tag`, or what ATTACCA_TAG names.
  package static let tagger = ProgramPlace(name: "attacca-tag", variable: "ATTACCA_TAG")

  /// Path that the variable names; else one beside this program, in ../libexec/attacca, or in PATH.
  package var path: String? {
    if let named = getenv(variable) { return String(cString: named) }
    let folder = String(Self.folderOfProgram)
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let folders =
      [folder, folder + "/../libexec/attacca"]
      + search.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private static var folderOfProgram: Substring {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &bytes, bytes.count)
    guard length > 0 else { return "" }
    let path = String(decoding: bytes[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
  }
}
