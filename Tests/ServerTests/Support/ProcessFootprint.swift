// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What this process takes of the machine.
struct ProcessFootprint: CustomStringConvertible {
  /// Resident memory of its own; what it maps of files is not counted.
  let megabytes: Double
  /// Open files.
  let files: Int
  let threads: Int

  init() {
    (files, threads) = (Self.count("fd"), Self.count("task"))
    let status = String(decoding: Self.read("status"), as: UTF8.self).split(separator: "\n")
    let line = status.first { $0.hasPrefix("RssAnon:") }
    megabytes = line.flatMap { Double($0.split(whereSeparator: \.isWhitespace)[1]) }! / 1_024
  }

  var description: String {
    "\((megabytes * 10).rounded() / 10) MB, \(files) files, \(threads) threads"
  }

  private static func read(_ name: String) -> Data {
    FileManager.default.contents(atPath: "/proc/self/" + name) ?? Data()
  }

  private static func count(_ folder: String) -> Int {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count
    } catch { preconditionFailure("/proc/self/\(folder): \(error)") }
  }
}
