// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Memory of this process, in kilobytes.
enum Resident {
  /// What it would take to hold it alone: pages that others have too count in proportion.
  static var proportional: Int { field("Pss") }

  private static func field(_ name: String) -> Int {
    guard let file = fopen("/proc/self/smaps_rollup", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      let words = text.split(separator: " ")
      if words.first == name[...] + ":", words.count > 1 { return Int(words[1]) ?? 0 }
    }
    return 0
  }
}
