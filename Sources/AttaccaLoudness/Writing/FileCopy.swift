// SPDX-License-Identifier: Apache-2.0

import CDescriptors
import Glibc
import SoundFiles

/// A file that is open to be copied, with what its inode says of it.
struct FileCopy: ~Copyable {
  private let descriptor: Int32
  private let path: BytePath

  init(of path: BytePath) throws(SoundFileError) {
    self.path = path
    descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw Self.failure(.unreadable, path, "open") }
  }

  deinit { close(descriptor) }

  /// Writes bytes, owner, rights and attributes to `file`.
  func write(to file: borrowing PartialFile) throws(SoundFileError) {
    try copyBytes(to: file.descriptor)
    try copyOwner(to: file.descriptor)
    attacca_copy_attributes(descriptor, file.descriptor)
  }

  private func copyBytes(to target: Int32) throws(SoundFileError) {
    let room = 1 << 20
    let memory = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 16)
    defer { memory.deallocate() }
    while true {
      let count = read(descriptor, memory, room)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure(.unreadable, path, "read")
      }
      var done = 0
      while done < count {
        let written = Glibc.write(target, memory + done, count - done)
        if written < 0, errno != EINTR { throw Self.failure(.unwritable, path, "write") }
        done += max(0, written)
      }
    }
  }

  private func copyOwner(to target: Int32) throws(SoundFileError) {
    var (own, new) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, fstat(target, &new) == 0 else {
      throw Self.failure(.unreadable, path, "fstat")
    }
    if own.st_uid != new.st_uid || own.st_gid != new.st_gid {
      guard fchown(target, own.st_uid, own.st_gid) == 0 else {
        throw SoundFileError(
          .unwritable, path: path.text, call: "fchown", code: errno,
          cause: "it belongs to another user or group, and would not any more")
      }
    }
    // What a change of the owner may have taken away.
    fchmod(target, own.st_mode & 0o7777)
  }

  private static func failure(
    _ kind: SoundFileError.Kind, _ path: BytePath, _ call: String
  ) -> SoundFileError {
    let refused = PartialFile.refused(path.text, call: call, code: errno)
    return SoundFileError(
      kind, path: path.text, call: call, code: refused.code, cause: refused.cause)
  }
}
