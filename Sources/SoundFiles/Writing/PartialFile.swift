// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A file that grows under a temporary name, "a.flac.123-0.part", beside the one that it gets at its
/// end.
public final class PartialFile: Sendable {
  /// Open for reading and writing until `publish`.
  package let descriptor: Int32

  /// The path as the caller named it, for people.
  private let path: String
  /// Folder in which the file is to be: names are looked up from here, so that the temporary one may be longer
  /// than a path can.
  private let folder: Int32
  private let name: BytePath
  private let temporaryName: BytePath
  private let overwrite: Bool
  /// It has its name, or is taken away.
  private let isOver = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)

  /// Begins a file; one of that name, or what a link of that name points to, is replaced at the end.
  package init(path place: BytePath, overwrite: Bool) throws(SoundFileError) {
    let target = try Self.target(of: place)
    (path, name, self.overwrite) = (place.text, target.name, overwrite)
    guard !place.hasZero, target.bytes.last != UInt8(ascii: "/") else {
      throw Self.refused(path, call: "open", code: place.hasZero ? EINVAL : EISDIR)
    }
    let parent = target.folder.bytes.isEmpty ? "." : target.folder
    let folder = parent.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard folder >= 0 else { throw Self.refused(path, call: "open", code: errno) }
    self.folder = folder
    do throws(SoundFileError) {
      let rights = try Self.rights(of: target, in: folder, path: path, overwrite: overwrite)
      (descriptor, temporaryName) = try Self.create(beside: target.name, in: folder, path: path)
      if let rights { fchmod(descriptor, rights) }
    } catch {
      close(folder)
      throw error
    }
  }

  deinit {
    remove()
    if !isClosed.load(ordering: .relaxed) { close(descriptor) }
    close(folder)
  }

  /// Takes the file away, if it has not got its name yet; any thread, while another writes it too.
  public func remove() {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    _ = temporaryName.withCString { unlinkat(folder, $0, 0) }
  }

  /// Puts the file on the disk, and gives it its name.
  package func publish() throws(SoundFileError) {
    // A crash of the machine leaves the old file or the whole new one. Some file systems have no fsync.
    var code = fsync(descriptor) == 0 || [EINVAL, ENOSYS, ENOTSUP].contains(errno) ? 0 : errno
    var call = "fsync"
    // Network file systems report a full disk here at the latest.
    isClosed.store(true, ordering: .relaxed)
    if close(descriptor) != 0, code == 0 { (code, call) = (errno, "close") }
    if code == 0 { (code, call) = (rename(), "rename") }
    if code == 0 {
      // So that the name, too, outlasts a crash; where a folder cannot be synced nothing more can be
      // done.
      fsync(folder)
      return isOver.store(true, ordering: .relaxed)
    }
    remove()
    if code == EEXIST, !overwrite { throw Self.existing(path) }
    throw Self.refused(path, call: call, code: code)
  }

  /// - Returns: 0, or the error's code.
  private func rename() -> Int32 {
    temporaryName.withCString { old in
      name.withCString { new in
        if overwrite { return renameat(folder, old, folder, new) == 0 ? 0 : errno }
        // A second name is given only where it is free, which renaming does not look at.
        if linkat(folder, old, folder, new, 0) == 0 {
          unlinkat(folder, old, 0)
          return 0
        }
        guard [EPERM, ENOSYS, ENOTSUP, EMLINK].contains(errno) else { return errno }
        // A file system without links: the name is taken first, so that only that is replaced.
        let taken = openat(folder, new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard taken >= 0 else { return errno }
        close(taken)
        if renameat(folder, old, folder, new) == 0 { return 0 }
        let code = errno
        unlinkat(folder, new, 0)
        return code
      }
    }
  }

  /// The path without links at its end, whether something is there or not.
  private static func target(of path: BytePath) throws(SoundFileError) -> BytePath {
    var target = path
    // As many links as the kernel follows.
    for _ in 0..<40 {
      var link = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = target.withCString { readlink($0, &link, link.count) }
      guard count >= 0 else { return target }
      let next = BytePath(bytes: link.prefix(count))
      target = next.isAbsolute || target.folder.bytes.isEmpty ? next : target.folder.appending(next)
    }
    throw refused(path.text, call: "readlink", code: ELOOP)
  }

  /// The rights of the file that is to be replaced; nil where there is none.
  private static func rights(
    of target: BytePath, in folder: Int32, path: String, overwrite: Bool
  ) throws(SoundFileError) -> mode_t? {
    var status = stat()
    let isThere = target.name.withCString { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0
    guard isThere else { return nil }
    guard overwrite else { throw existing(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SoundFileError(
        .unwritable, path: path, call: "stat", cause: "there, and not a regular file")
    }
    return status.st_mode & 0o777
  }

  private static func create(
    beside name: BytePath, in folder: Int32, path: String
  ) throws(SoundFileError) -> (descriptor: Int32, name: BytePath) {
    let longest = max(fpathconf(folder, Int32(_PC_NAME_MAX)), 64)
    // O_EXCL: a name that is taken is another writer's, or a trap; the next is tried.
    for attempt in 0..<100 {
      let ending = Array(".\(getpid())-\(attempt).part".utf8)
      var beginning = name.bytes
      while beginning.count + ending.count > longest {
        // A character goes as a whole: there are file systems that take nothing but UTF-8.
        while let last = beginning.popLast(), last & 0xC0 == 0x80 {}
      }
      let temporary = BytePath(bytes: beginning + ending)
      let descriptor = temporary.withCString {
        openat(folder, $0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
      if descriptor >= 0 { return (descriptor, temporary) }
      if errno != EEXIST { break }
    }
    throw refused(path, call: "open", code: errno)
  }

  private static func existing(_ path: String) -> SoundFileError {
    SoundFileError(.exists, path: path, call: "rename", cause: "it is not replaced unasked")
  }

  package static func refused(_ path: String, call: String, code: Int32) -> SoundFileError {
    SoundFileError(
      .unwritable, path: path, call: call, code: code, cause: SystemError(code: code).text)
  }
}
