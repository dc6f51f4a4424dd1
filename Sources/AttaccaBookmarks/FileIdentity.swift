// SPDX-License-Identifier: Apache-2.0

import CXXHash
import Glibc
import SoundFiles

/// Marks of a file that tell it from others, and from another in its place.
struct FileIdentity: Hashable, Sendable {
  /// Bytes that are read at the beginning, in the middle and at the end of a file for its hash.
  private static let piece = 65_536

  /// The path from the root on, with no link in it.
  let path: BytePath
  /// Bytes.
  let size: Int64
  /// Nanoseconds since 1970, of the last change.
  let modified: Int64

  /// The identity of the file that is at `path` now; nil where there is none, or where that is no file.
  init?(_ path: BytePath) {
    guard let resolved = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    var status = stat()
    guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = BytePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  /// A hash of the size and of three pieces of the content, 16 bytes; nil where the file cannot be read; blocks while it
  /// is.
  ///
  /// It finds a file again that was moved or renamed. Three pieces of 64 KiB, as a whole audiobook of 500 MB would
  /// take the disk seconds.
  func contentHash() -> [UInt8]? {
    // What has taken the file's place since, such as a pipe, is not waited for.
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    withUnsafeBytes(of: size.littleEndian) { bytes += $0 }
    let count = Int64(Self.piece)
    let begins = size <= 3 * count ? [0, count, 2 * count] : [0, (size - count) / 2, size - count]
    for begin in begins {
      guard let piece = read(descriptor, at: begin) else { return nil }
      bytes += piece
    }
    let hash = attacca_xxh3_128bits(bytes, bytes.count)
    return withUnsafeBytes(of: (hash.high64.bigEndian, hash.low64.bigEndian)) { Array($0) }
  }

  private func read(_ descriptor: Int32, at offset: Int64) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: Self.piece)
    var filled = 0
    while filled < piece.count {
      let count = piece.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + filled, $0.count - filled, off_t(offset) + filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      filled += count
    }
    return Array(piece[..<filled])
  }
}
