// SPDX-License-Identifier: Apache-2.0

import CSndFile
import Glibc

/// A file that grows under a temporary name and gets its own at the end.
final class ByteSink {
  /// The first thing that went wrong while the encoder wrote.
  private(set) var failure: SoundFileError?

  private let path: String
  private var temporaryPath = ""
  private let overwrite: Bool
  private var descriptor: Int32

  init(path: String, overwrite: Bool) throws(SoundFileError) {
    (self.path, self.overwrite) = (path, overwrite)
    descriptor = -1
    var status = stat()
    if stat(path, &status) == 0 {
      guard overwrite else { throw Self.existing(path) }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw SoundFileError(
          .unwritable, path: path, call: "stat", cause: "there, and not a regular file")
      }
    }
    // O_EXCL: a name that is taken is another writer's, or a trap; the next is tried.
    for attempt in 0..<100 where descriptor < 0 {
      temporaryPath = "\(path).\(getpid())-\(attempt).part"
      descriptor = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0, errno != EEXIST { break }
    }
    guard descriptor >= 0 else { throw Self.refused(path, call: "open", code: errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(temporaryPath)
  }

  private static func existing(_ path: String) -> SoundFileError {
    SoundFileError(.exists, path: path, call: "stat", cause: "it is not replaced unasked")
  }

  private static func refused(_ path: String, call: String, code: Int32) -> SoundFileError {
    SoundFileError(
      .unwritable, path: path, call: call, code: code, cause: SystemError(code: code).text)
  }

  /// Closes the file and renames it.
  func publish() throws(SoundFileError) {
    let descriptor = self.descriptor
    self.descriptor = -1
    // Network file systems report a full disk here at the latest.
    guard close(descriptor) == 0 else {
      let code = errno
      unlink(temporaryPath)
      throw Self.refused(path, call: "close", code: code)
    }
    var status = stat()
    if !overwrite, stat(path, &status) == 0 {
      unlink(temporaryPath)
      throw Self.existing(path)
    }
    guard rename(temporaryPath, path) == 0 else {
      let code = errno
      unlink(temporaryPath)
      throw Self.refused(path, call: "rename", code: code)
    }
  }

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
        if failure == nil { failure = Self.refused(path, call: "write", code: errno) }
        break
      }
    }
    return sf_count_t(done)
  }
}
