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
    guard file.size <= limit else { throw tooLong(file) }
    return try file.bytes(at: 0, count: Int(file.size))
  }

  /// Hands the bytes of the regular file at `path` to `body`, a megabyte at a time, for as long as that says that it
  /// goes on; `isLast` says that none follow.
  ///
  /// - Throws: As `bytes(of:atMost:)`, and what `body` throws.
  package static func read(
    _ path: BytePath, atMost limit: Int64,
    _ body: (_ piece: [UInt8], _ isLast: Bool) throws(SoundFileError) -> Bool
  ) throws(SoundFileError) {
    let file = try RegularFile(path: path)
    guard file.size <= limit else { throw tooLong(file) }
    var place: Int64 = 0
    repeat {
      let count = min(1 << 20, file.size - place)
      let piece = try file.bytes(at: place, count: Int(count))
      place += count
      guard try body(piece, place >= file.size) else { return }
    } while place < file.size
  }

  private static func tooLong(_ file: RegularFile) -> SoundFileError {
    SoundFileError(
      .unsupported, path: file.path, call: "WholeFile", cause: "\(file.size) bytes of playlist")
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
