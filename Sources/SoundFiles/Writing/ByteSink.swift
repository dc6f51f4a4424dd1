// SPDX-License-Identifier: Apache-2.0

import CSndFile
import Glibc

/// The file that an encoder writes.
final class ByteSink {
  /// The first thing that went wrong while the encoder wrote.
  private(set) var failure: SoundFileError?
  /// The file, under a temporary name until `publish`.
  let file: PartialFile

  private let path: String
  private var descriptor: Int32 { file.descriptor }

  init(path: BytePath, overwrite: Bool) throws(SoundFileError) {
    self.path = path.text
    file = try PartialFile(path: path, overwrite: overwrite)
  }

  /// Closes the file and gives it its name.
  func publish() throws(SoundFileError) { try file.publish() }

  /// The user data for C callbacks; the writer keeps this object alive.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> ByteSink {
    Unmanaged<ByteSink>.fromOpaque(pointer!).takeUnretainedValue()
  }

  static let callbacks = SF_VIRTUAL_IO(
    get_filelen: { from($0).length },
    seek: { offset, whence, pointer in
      sf_count_t(lseek(from(pointer).descriptor, off_t(offset), whence))
    },
    read: { buffer, count, pointer in
      sf_count_t(Glibc.read(from(pointer).descriptor, buffer, Int(count)))
    },
    write: { buffer, count, pointer in from(pointer).write(buffer!, count) },
    tell: { sf_count_t(lseek(from($0).descriptor, 0, SEEK_CUR)) })

  private var length: sf_count_t {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? sf_count_t(status.st_size) : -1
  }

  private func write(_ bytes: UnsafeRawPointer, _ count: sf_count_t) -> sf_count_t {
    var done = 0
    while done < Int(count) {
      let written = Glibc.write(descriptor, bytes + done, Int(count) - done)
      if written >= 0 {
        done += written
      } else if errno != EINTR {
        if failure == nil { failure = PartialFile.refused(path, call: "write", code: errno) }
        break
      }
    }
    return sf_count_t(done)
  }
}
