// SPDX-License-Identifier: Apache-2.0

import CGnuTLS
import Glibc

/// The files of a cache: one an address, whose name is a digest of it.
struct CacheFolder {
  private let path: String
  /// End of the name of a file that is being made.
  private static let unfinished = ".part"
  private let limit: Int64

  init(_ cache: HTTPCache) { (path, limit) = (cache.folder, max(0, cache.sizeLimit)) }

  /// `attacca/http` in the cache folder.
  static var standard: String { Spool.cacheFolder + "/http" }

  /// The file for an address, by what is said to the server: another user may be sent another file.
  func name(of address: NetworkAddress, _ options: HTTPOptions) -> String? {
    var parts = [address.text, address.credentials ?? "", options.cookies ?? ""]
    switch options.authorization {
    case .basic(let user, let password): parts += ["basic", user, password]
    case .bearer(let token): parts += ["bearer", token]
    case nil: break
    }
    parts += options.headers.flatMap { [$0.name, $0.value] }
    let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
    guard let digest = CacheDigest(of: Array(text.utf8)) else { return nil }
    return path + "/" + digest.text
  }

  /// The file called `name`, open; nil where it is not there.
  func open(_ name: String) -> Int32? {
    let file = Glibc.open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    // Nobody takes away what is read.
    guard flock(file, LOCK_SH | LOCK_NB) == 0 else {
      close(file)
      return nil
    }
    Self.noteUse(of: file)
    return file
  }

  /// Enters the present moment as the one at which `file` was used last.
  ///
  /// The moments that the system enters by itself are those of its tick, 4 ms apart: of two files that were used one
  /// right behind the other either would be the older one.
  static func noteUse(of file: Int32) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    futimens(file, [now, now])
  }

  /// Puts a file of `size` bytes that begins with `head` there, in the place of one that `name` had.
  ///
  /// - Returns: the file, open; nil where it would be too large, or cannot be written.
  func create(_ name: String, size: Int64, head: [UInt8]) -> Int32? {
    guard size <= limit, makeFolders(), let lock = Lock(path) else { return nil }
    defer { lock.release() }
    makeRoom(for: size, locked: lock)
    // One of that name, which somebody has left, is gone now.
    let new = name + Self.unfinished
    let file = Glibc.open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    let isWritten =
      ftruncate(file, off_t(size)) == 0 && flock(file, LOCK_SH) == 0
      && head.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } == head.count
      && rename(new, name) == 0
    guard isWritten else {
      unlink(new)
      close(file)
      return nil
    }
    return file
  }

  /// Takes away what was used longest ago until `size` bytes more are within the limit.
  func makeRoom(for size: Int64) {
    guard let lock = Lock(path) else { return }
    defer { lock.release() }
    makeRoom(for: size, locked: lock)
  }

  private func makeRoom(for size: Int64, locked: Lock) {
    var kept: [(path: String, size: Int64, used: timespec)] = []
    guard let folder = opendir(path) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let file = path + "/" + name
      var status = stat()
      // Nothing else in the folder is touched.
      guard CacheDigest.isText(name.prefix(CacheDigest.letters)), lstat(file, &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      if name.count == CacheDigest.letters {
        kept.append((file, Int64(status.st_size), status.st_mtim))
      } else if name.dropFirst(CacheDigest.letters) == Self.unfinished {
        // Somebody ended before it had its name: whoever makes one has the lock.
        unlink(file)
      }
    }
    kept.sort { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
    var sum = kept.reduce(0) { $0 + $1.size }
    for file in kept {
      guard sum > 0, size > limit - min(sum, limit) || sum > limit else { return }
      if remove(file.path) { sum -= file.size }
    }
  }

  /// - Returns: false where somebody reads it.
  private func remove(_ file: String) -> Bool {
    let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && unlink(file) == 0
  }

  private func makeFolders() -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for count in parts.indices.dropFirst() {
      mkdir(parts[...count].joined(separator: "/"), 0o700)
    }
    return access(path, W_OK) == 0
  }

  /// The right to change which files are there, which one process has at a time.
  private struct Lock {
    private let descriptor: Int32

    init?(_ folder: String) {
      descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      guard flock(descriptor, LOCK_EX) == 0 else {
        close(descriptor)
        return nil
      }
    }

    func release() { close(descriptor) }
  }
}
