// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open regular file, or one in memory, read by position.
///
/// Pipes, sockets and devices are refused: reading them can block for ever. The descriptor is
/// closed with the object. Its length is that at the time of opening.
final class RegularFile {
  /// The file as the caller named it, for people.
  let path: String
  /// Bytes.
  let size: Int64
  private let descriptor: Int32
  /// The bytes of a file in memory; nil for one on a disk.
  private let memory: [UInt8]?

  init(path place: BytePath) throws(SoundFileError) {
    memory = nil
    // Without O_NONBLOCK the open of a pipe waits for its writer, before `fstat` can tell.
    // A name with a zero in it would be another file's up to there.
    descriptor =
      place.hasZero ? -1 : place.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    path = place.text
    guard descriptor >= 0 else {
      let code = place.hasZero ? ENOENT : errno
      size = 0
      guard code == ENOENT || code == ENOTDIR else {
        throw SoundFileError(
          .unreadable, path: path, call: "open", code: code, cause: SystemError(code: code).text)
      }
      // "http://" and its like reach here from playlists.
      let isAddress = place.isAddress
      throw SoundFileError(
        isAddress ? .unsupported : .missing, path: path, call: "open", code: code,
        cause: isAddress ? "only files are played" : SystemError(code: code).text)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      size = 0
      throw SoundFileError(
        .unreadable, path: path, call: "fstat", code: code, cause: SystemError(code: code).text)
    }
    size = Int64(status.st_size)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SoundFileError(
        .unreadable, path: path, call: "fstat",
        cause: status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file")
    }
    guard size > 0 else {
      throw SoundFileError(.empty, path: path, call: "fstat", cause: "0 bytes")
    }
  }

  /// A file in memory, all of whose bytes are `bytes`, which people know by `name`.
  init(_ bytes: [UInt8], name: String) throws(SoundFileError) {
    (path, size, descriptor, memory) = (name, Int64(bytes.count), -1, bytes)
    guard size > 0 else {
      throw SoundFileError(.empty, path: path, call: "open", cause: "0 bytes")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads until `buffer` is full or the file ends; the C function is `pread`.
  ///
  /// - Returns: bytes read, or the negated `errno` of a failure.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let memory {
      let rest = memory[Int(min(max(offset, 0), size))...].prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    }
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
      if count > 0 {
        done += count
      } else if count == 0 {
        break
      } else if errno != EINTR {
        return -Int(errno)
      }
    }
    return done
  }

  /// The bytes from `offset` on: `count` of them, or as many as the file has.
  func bytes(at offset: Int64, count: Int) throws(SoundFileError) -> [UInt8] {
    guard offset >= 0, offset < size, count > 0 else { return [] }
    let wanted = Int(min(Int64(count), size - offset))
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      result = read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      filled = max(result, 0)
    }
    guard result >= 0 else {
      let code = Int32(-result)
      throw SoundFileError(
        .unreadable, path: path, call: "pread", code: code, cause: SystemError(code: code).text)
    }
    return bytes
  }
}
