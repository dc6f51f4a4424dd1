// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Texts on a disk, read and written as a whole.
package enum WholeFile {
  /// All bytes of the regular file at `path`.
  ///
  /// - Throws: `missing`, `unreadable`, `empty`, and `unsupported` of more than `limit` bytes.
  package static func bytes(
    of path: BytePath, atMost limit: Int64
  ) throws(SoundFileError) -> [UInt8] {
    let file = try RegularFile(path: path)
    guard file.size <= limit else {
      throw SoundFileError(
        .unsupported, path: path.text, call: "WholeFile", cause: "\(file.size) bytes of playlist")
    }
    return try file.bytes(at: 0, count: Int(file.size))
  }

  /// Makes a file of `bytes` at `path`, which is there as a whole or not at all.
  ///
  /// - Throws: `exists` for a file that is there unless it `overwrites`, and `unwritable`.
  package static func write(
    _ bytes: [UInt8], to path: BytePath, overwrites: Bool
  ) throws(SoundFileError) {
    let file = try PartialFile(path: path, overwrite: overwrites)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(file.descriptor, $0.baseAddress! + done, $0.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        throw PartialFile.refused(path.text, call: "write", code: errno)
      }
    }
    try file.publish()
  }
}
