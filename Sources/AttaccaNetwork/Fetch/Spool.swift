// SPDX-License-Identifier: Apache-2.0

import CDescriptors
import Glibc
import SoundFiles

/// The loaded bytes of one file, in a sparse file without a name, which goes with the process.
///
/// Any thread; what is read has been written before, and is not given up meanwhile: the owner sees to both.
final class Spool: Sendable {
  private let descriptor: Int32

  /// An empty one in the cache folder, for what people know by `name`.
  ///
  /// - Throws: `unwritable`.
  init(for name: String) throws(SoundFileError) {
    var code: Int32 = 0
    for folder in Self.folders {
      _ = mkdir(folder.parent, 0o700)
      _ = mkdir(folder.path, 0o700)
      let made = attacca_nameless_file(folder.path)
      if made >= 0 {
        descriptor = made
        return
      }
      code = errno
    }
    throw SoundFileError(
      .unwritable, path: name, call: "open", code: code,
      cause:
        "no place to keep what is loaded in the cache folder: \(String(cString: strerror(code)))")
  }

  deinit { close(descriptor) }

  /// `XDG_CACHE_HOME`, or `.cache` at home, or a temporary one.
  private static var folders: [(parent: String, path: String)] {
    let home = variable("HOME").map { $0 + "/.cache" }
    let parents = [variable("XDG_CACHE_HOME") ?? home, variable("TMPDIR"), "/var/tmp", "/tmp"]
    return parents.compactMap { $0.map { ($0, $0 + "/attacca") } }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Writes all of `bytes` from `offset` on.
  ///
  /// - Returns: the negated `errno` of a failure, else 0.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        return -errno
      }
    }
    return 0
  }

  /// Reads what has been written from `offset` on.
  ///
  /// - Returns: bytes read, or the negated `errno` of a failure.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      if errno != EINTR { return -Int(errno) }
    }
  }

  /// Gives up the disk's room for `range`; where the file system cannot, that is kept.
  func forget(_ range: Range<Int64>) {
    _ = attacca_punch_hole(descriptor, off_t(range.lowerBound), off_t(range.count))
  }
}
