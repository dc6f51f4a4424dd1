// SPDX-License-Identifier: Apache-2.0

import Glibc

@testable import AttaccaNetwork

/// Takes bytes for the head of a cache's entry, and for the table and the content behind it.
enum CacheCheck {
  static func run(_ bytes: [UInt8]) throws {
    let folder = try Folder()
    let name = folder.path + "/entry"
    try folder.write(bytes, to: name)
    // The head says how large an entry is; it is made so, as sparse files may well be.
    var text = Array(bytes.prefix(Int(CacheEntry.headSize)))
    text += [UInt8](repeating: 0, count: Int(CacheEntry.headSize) - text.count)
    if let head = CacheEntry.Head(text) {
      try Finding.unless((0..<CacheEntry.Head.largest).contains(head.total), "\(head.total) bytes")
      if let again = head.text {
        try Finding.unless(CacheEntry.Head(again) == head, "\(head) is read as another")
      }
      guard truncate(name, off_t(CacheEntry.size(of: head))) == 0 else { return }
    }
    let cache = CacheFolder(HTTPCache(folder: folder.path, sizeLimit: .max))
    let opened = try StepTime.bounded("an entry") { CacheEntry.open(name, in: cache) }
    guard let entry = opened else { return }
    try read(entry)
  }

  /// What is there is what its digest says, or is refused, and is loaded again then.
  private static func read(_ entry: CacheEntry) throws {
    var buffer = [UInt8](repeating: 0, count: 1_000)
    for range in entry.loaded.ranges.prefix(20) {
      try Finding.unless(
        range.lowerBound >= 0 && range.upperBound <= entry.head.total, "\(range) is loaded")
      let count = buffer.withUnsafeMutableBytes { entry.read(at: range.lowerBound, into: $0) }
      try Finding.unless(count > 0 || count == -Int(EBADMSG), "\(count) bytes at \(range)")
      try Finding.unless(count <= range.count, "\(count) bytes of \(range)")
      let block = entry.blockRange(at: range.lowerBound)
      entry.seal(block, of: entry.loaded)
    }
  }

  /// A folder in memory, which goes with this object.
  private final class Folder {
    let path: String

    init() throws {
      var template = Array("/dev/shm/attacca-XXXXXX".utf8CString)
      guard let made = mkdtemp(&template) else { throw Finding("mkdtemp: errno \(errno)") }
      path = String(cString: made)
    }

    deinit {
      unlink(path + "/entry")
      rmdir(path)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
      let file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(file) }
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count == bytes.count else { throw Finding("write: errno \(errno)") }
    }
  }
}
