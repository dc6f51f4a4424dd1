// SPDX-License-Identifier: Apache-2.0

import CDescriptors
import DecodeMessages
import Glibc

/// An open regular file, one in memory, or one that is elsewhere, read by position, in blocks: a disk takes 5 ms to
/// find a byte, and a C library asks for 2 kB at a time.
///
/// Used by one thread at a time. Pipes, sockets and devices are refused: reading them can block for ever.
/// The descriptor is closed with the object. Its length is that at the time of opening.
final class RegularFile {
  /// The file as the caller named it, for people.
  let path: String
  /// Bytes; where nobody knows how many will come, more than there can be.
  var size: Int64 { remote.map { $0.size ?? Self.unknownSize } ?? storedSize }
  /// The size while that is not known.
  static let unknownSize = ShownFile.longestFile
  private let storedSize: Int64
  /// Whatever the names, what makes it this file.
  let key: Key
  private let descriptor: Int32
  /// The bytes of a file in memory; nil for one on a disk.
  private let memory: [UInt8]?
  /// The bytes of a file that is elsewhere; nil for others.
  private let remote: (any RemoteBytes)?
  /// The place behind the last byte that a decoder has taken.
  var consumed: Int64 = 0
  private let blockSize: Int
  private var blocks = [Block](repeating: Block(), count: 2)

  /// A file as it was when it was opened.
  struct Key: Hashable {
    let identity: FileIdentity
    let size: Int64
  }

  /// Bytes that follow each other in the file.
  private struct Block {
    var memory: UnsafeMutableRawPointer?
    var range: Range<Int64> = 0..<0
  }

  init(path place: BytePath) throws(SoundFileError) {
    (blockSize, memory, remote) = (1 << 15, nil, nil)
    // Without O_NONBLOCK the open of a pipe waits for its writer, before `fstat` can tell.
    // A name with a zero in it would be another file's up to there.
    descriptor =
      place.hasZero ? -1 : place.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    path = place.text
    guard descriptor >= 0 else {
      let code = place.hasZero ? ENOENT : errno
      (storedSize, key) = (0, Key(identity: FileIdentity(stat()), size: 0))
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
      (storedSize, key) = (0, Key(identity: FileIdentity(stat()), size: 0))
      throw SoundFileError(
        .unreadable, path: path, call: "fstat", code: code, cause: SystemError(code: code).text)
    }
    storedSize = Int64(status.st_size)
    key = Key(identity: FileIdentity(status), size: storedSize)
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
    (path, storedSize, descriptor, memory) = (name, Int64(bytes.count), -1, bytes)
    (key, blockSize, remote) = (Key(identity: .ofMemory(), size: storedSize), 0, nil)
    guard size > 0 else {
      throw SoundFileError(.empty, path: path, call: "open", cause: "0 bytes")
    }
  }

  /// A file that is elsewhere, which people know by `name`.
  init(_ remote: any RemoteBytes, name: String) throws(SoundFileError) {
    (path, storedSize, descriptor, memory) = (name, 0, -1, nil)
    (key, blockSize, self.remote) = (Key(identity: .ofMemory(), size: 0), 0, remote)
    guard size > 0 else {
      throw SoundFileError(.empty, path: path, call: "open", cause: "0 bytes")
    }
  }

  /// True where the file is elsewhere: a place far from the last takes a while.
  var isRemote: Bool { remote != nil }

  /// True where bytes come in their order alone: the end is not to be looked at.
  var isSequential: Bool { remote?.isSequential ?? false }

  /// The same file once more, for another thread, read in blocks of `blockSize` bytes.
  init(duplicating other: RegularFile, blockSize: Int) throws(SoundFileError) {
    (path, storedSize, key, self.blockSize) = (other.path, other.storedSize, other.key, blockSize)
    (memory, remote) = (other.memory, other.remote)
    guard memory == nil, remote == nil else {
      descriptor = -1
      return
    }
    descriptor = fcntl(other.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else {
      let code = errno
      throw SoundFileError(
        .unreadable, path: path, call: "fcntl", code: code, cause: SystemError(code: code).text)
    }
  }

  /// A descriptor of the file for another process, which the caller closes; nil for one that is elsewhere, whose bytes
  /// that process asks for.
  func duplicate() throws(SoundFileError) -> Int32? {
    guard remote == nil else { return nil }
    let made =
      memory == nil ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : attacca_memory_file("attacca")
    guard made >= 0 else {
      let code = errno
      throw SoundFileError(
        .unreadable, path: path, call: memory == nil ? "fcntl" : "memfd_create", code: code,
        cause: SystemError(code: code).text)
    }
    guard let memory else { return made }
    var done = 0
    while done < memory.count {
      let written = memory.withUnsafeBytes { write(made, $0.baseAddress! + done, $0.count - done) }
      if written > 0 {
        done += written
      } else if errno != EINTR {
        let code = errno
        close(made)
        throw SoundFileError(
          .unreadable, path: path, call: "write", code: code, cause: SystemError(code: code).text)
      }
    }
    return made
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    for block in blocks { block.memory?.deallocate() }
  }

  /// Reads until `buffer` is full or the file ends.
  ///
  /// - Returns: bytes read, or the negated `errno` of a failure.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let memory {
      let rest = memory[Int(min(max(offset, 0), size))...].prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    }
    if let remote { return Self.read(remote, at: offset, into: buffer) }
    guard buffer.count < blockSize else { return fetch(at: offset, into: buffer) }
    var done = 0
    while done < buffer.count, offset + Int64(done) < size {
      let place = offset + Int64(done)
      let count = load(place)
      if count < 0 { return count }
      let block = blocks[0]
      guard let memory = block.memory, block.range.contains(place) else { break }
      let piece = min(buffer.count - done, Int(block.range.upperBound - place))
      UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + piece]).copyMemory(
        from: UnsafeRawBufferPointer(
          start: memory + Int(place - block.range.lowerBound), count: piece))
      done += piece
    }
    return done
  }

  /// Reads what is there, a byte at least; blocks until one is.
  ///
  /// - Returns: bytes read, 0 at the end; or the negated `errno` of a failure.
  func readSome(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    remote?.read(at: offset, into: buffer) ?? read(at: offset, into: buffer)
  }

  /// The bytes come piece by piece, and whoever has them keeps them near.
  private static func read(
    _ remote: any RemoteBytes, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = remote.read(at: offset + Int64(done), into: rest)
      if count < 0 { return count }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Makes the block that holds `place` the first; the one that was not used last is given up for it.
  ///
  /// - Returns: the negated `errno` of a failure, else 0.
  private func load(_ place: Int64) -> Int {
    if blocks[0].range.contains(place) { return 0 }
    blocks.swapAt(0, 1)
    if blocks[0].range.contains(place) { return 0 }
    let start = place - place % Int64(blockSize)
    let memory =
      blocks[0].memory ?? .allocate(byteCount: blockSize, alignment: 16)
    blocks[0] = Block(memory: memory)
    let wanted = Int(min(Int64(blockSize), size - start))
    let count = fetch(at: start, into: UnsafeMutableRawBufferPointer(start: memory, count: wanted))
    if count < 0 { return count }
    blocks[0].range = start..<start + Int64(count)
    return 0
  }

  /// Gives up the block that was not used last: what is decoded comes from one, and two are for headers and tables.
  func dropOlderBlock() {
    blocks[1].memory?.deallocate()
    blocks[1] = Block()
  }

  /// Reads past the blocks; the C function is `pread`.
  private func fetch(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
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

  /// Four bytes, highest first; 0 past the end.
  func word(at offset: Int64) throws(SoundFileError) -> UInt32 {
    var word: UInt32 = 0
    let count = withUnsafeMutableBytes(of: &word) { read(at: offset, into: $0) }
    guard count >= 0 else {
      let code = Int32(-count)
      throw SoundFileError(
        .unreadable, path: path, call: "pread", code: code, cause: SystemError(code: code).text)
    }
    return count == 4 ? UInt32(bigEndian: word) : 0
  }

  /// Returns what `body` reads for display, or `none`: what can be heard is not refused for a tag that cannot be read.
  ///
  /// - Throws: what `body` throws of a file that is elsewhere, whose reads are given up in between.
  func forDisplay<T>(
    else none: T, _ body: () throws(SoundFileError) -> T
  ) throws(SoundFileError) -> T {
    do throws(SoundFileError) {
      return try body()
    } catch {
      guard isRemote else { return none }
      throw error
    }
  }

  /// The bytes from `offset` on: `count` of them, or as many as the file has.
  func bytes(at offset: Int64, count: Int) throws(SoundFileError) -> [UInt8] {
    // Of what is elsewhere it may become known meanwhile.
    let size = size
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
