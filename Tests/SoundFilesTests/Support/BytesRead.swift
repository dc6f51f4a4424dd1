// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a thread has read through system calls.
struct BytesRead {
  let bytes: Int
  let requests: Int

  /// What this thread has read so far.
  init() throws {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    func field(_ name: String) throws -> Int {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name) })
      return try #require(Int(line.dropFirst(name.count)))
    }
    (bytes, requests) = (try field("rchar: "), try field("syscr: "))
  }

  /// What `body` reads on this thread.
  static func during(_ body: () throws -> Void) throws -> (bytes: Int, requests: Int) {
    let before = try BytesRead()
    try body()
    let after = try BytesRead()
    return (after.bytes - before.bytes, after.requests - before.requests)
  }
}
