// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file in memory that goes with this object, for what opens paths.
final class ScratchFile {
  /// A name for it while it lasts.
  var path: String { "/proc/self/fd/\(descriptor)" }
  private let descriptor: Int32

  init(_ bytes: [UInt8]) {
    var template = Array("/dev/shm/attacca-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    precondition(descriptor >= 0, "mkstemp in /dev/shm: errno \(errno)")
    unlink(template)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress! + done, bytes.count - done)
      }
      precondition(count > 0, "write to /dev/shm: errno \(errno)")
      done += count
    }
  }

  deinit { close(descriptor) }
}
