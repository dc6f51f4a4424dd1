// SPDX-License-Identifier: Apache-2.0

@testable import AttaccaBookmarks
import Attacca
import Glibc
import MediaTime
import Measures

/// A folder with a sound, a store, and the number of frames that were heard, in memory that a file has.
final class KillFolder {
  let path: String
  private let counter: UnsafeMutablePointer<Int>

  /// A new folder with a silent file of so many frames.
  convenience init(frames: Int, rate: Int) throws {
    var template = Array("/tmp/attacca-kills-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Wrong("mkdtemp: \(String(cString: strerror(errno)))")
    }
    let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    var bytes: [UInt8] = Array("RIFF".utf8)
    func put(_ value: Int, _ count: Int) {
      for i in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
    }
    put(36 + 2 * frames, 4)
    bytes += Array("WAVEfmt ".utf8)
    for (value, count) in [(16, 4), (1, 2), (1, 2), (rate, 4), (2 * rate, 4), (2, 2), (16, 2)] {
      put(value, count)
    }
    bytes += Array("data".utf8)
    put(2 * frames, 4)
    try Self.write(bytes, to: path + "/sound.wav", size: bytes.count + 2 * frames)
    try Self.write([], to: path + "/heard", size: 4_096)
    try self.init(at: path)
  }

  /// The folder that another process has made.
  init(at path: String) throws {
    self.path = path
    let descriptor = open(path + "/heard", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0,
      let memory = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { throw Wrong("mmap: \(String(cString: strerror(errno)))") }
    close(descriptor)
    counter = memory.bindMemory(to: Int.self, capacity: 1)
  }

  private static func write(_ bytes: [UInt8], to path: String, size: Int) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard descriptor >= 0, ftruncate(descriptor, size) == 0,
      Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    else { throw Wrong("\(path): \(String(cString: strerror(errno)))") }
  }

  var sound: String { path + "/sound.wav" }

  /// Frames that were heard, at most.
  var heard: Int {
    get { counter.pointee }
    set { counter.pointee = newValue }
  }

  func store() throws -> BookmarkStore {
    try BookmarkStore(path: BytePath(path + "/bookmarks.sqlite"))
  }

  /// The frame that is remembered, by a store that is whole.
  func place() throws -> Int {
    let store = try store()
    let verdict = try store.withDatabase { database throws(BookmarkError) in
      try database.rows("PRAGMA integrity_check") { $0.text(0) ?? "" }
    }
    guard verdict == ["ok"] else { throw Wrong("the store is damaged: \(verdict)") }
    return try store.bookmark(of: PlaylistItem(path: sound)).map { Int($0.position.value) } ?? 0
  }

  /// Has listening begin anew.
  func forget() throws { try store().removeAllBookmarks() }

  func remove() {
    for name in [
      "sound.wav", "heard", "bookmarks.sqlite", "bookmarks.sqlite-wal", "bookmarks.sqlite-shm",
    ] {
      unlink(path + "/" + name)
    }
    rmdir(path)
  }
}
