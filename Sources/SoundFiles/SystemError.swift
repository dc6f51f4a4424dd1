// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An `errno` value in the system's words; `strerror` would write them to a buffer all threads share.
struct SystemError {
  let code: Int32

  /// "No space left on device".
  var text: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard strerror_r(code, buffer.baseAddress!, buffer.count) == 0 else { return "error \(code)" }
      return String(cString: buffer.baseAddress!)
    }
  }
}
