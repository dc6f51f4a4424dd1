// SPDX-License-Identifier: Apache-2.0

import CXXHash
import Glibc

/// Files of changes that come behind the state in the database, one entry behind the other.
///
/// An entry that has been handed to the system is there after the process is killed. Each has its length and a hash in
/// front: what a power cut leaves of the last one is told from a whole one. A file's name has the number of its first entry.
/// One thread at a time.
final class StateJournal {
  private let folder: String
  private var descriptor: Int32 = -1
  private var path = ""
  /// Bytes of the entries that are whole.
  private(set) var size = 0

  private static let prefix = "service-"
  private static let suffix = ".journal"
  /// Bytes in front of an entry: its length and the hash.
  private static let head = 12

  init(folder: String) { self.folder = folder }

  deinit { if descriptor >= 0 { close(descriptor) } }

  // MARK: Writing

  /// Begins a file whose first entry has a number; what an earlier process has left under its name is lost.
  func begin(at sequence: UInt64) throws(StoreError) {
    if descriptor >= 0 { close(descriptor) }
    path = "\(folder)/\(Self.prefix)\(sequence)\(Self.suffix)"
    size = 0
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("open") }
  }

  /// Writes an entry, which is in the system's hands then.
  func append(_ entry: JournalEntry) throws(StoreError) {
    let body = Self.body(of: entry)
    var bytes = JournalBytes()
    bytes.count(body.bytes.count)
    bytes.number(Self.hash(body.bytes[...]))
    bytes.append(body)
    var done = 0
    while done < bytes.bytes.count {
      let count = bytes.bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress! + done, $0.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        let error = failure("write")
        // What is behind half an entry would not be read.
        if ftruncate(descriptor, off_t(size)) == 0 { lseek(descriptor, off_t(size), SEEK_SET) }
        throw error
      }
    }
    size += done
  }

  /// Takes away the files that begin with an entry in front of one with a number; safe on any thread.
  static func removeFiles(in folder: String, before sequence: UInt64) {
    for first in files(in: folder) where first < sequence {
      unlink("\(folder)/\(prefix)\(first)\(suffix)")
    }
  }

  /// Takes away the files that begin with an entry with a number, or behind it; safe on any thread.
  static func removeFiles(in folder: String, from sequence: UInt64) {
    for first in files(in: folder) where first >= sequence {
      unlink("\(folder)/\(prefix)\(first)\(suffix)")
    }
  }

  // MARK: Reading

  /// The entries in a folder behind one with a number, without a gap.
  static func entries(in folder: String, behind sequence: UInt64) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var last = sequence
    for first in files(in: folder).sorted() {
      guard let bytes = contents("\(folder)/\(prefix)\(first)\(suffix)") else { continue }
      for entry in self.entries(of: bytes) where entry.sequence > last {
        // Behind a gap nothing is known of what the changes are made to.
        guard entry.sequence == last + 1 else { return entries }
        last = entry.sequence
        entries.append(entry)
      }
    }
    return entries
  }

  /// The whole entries at the beginning of a file.
  static func entries(of bytes: [UInt8]) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var reader = JournalReader(bytes[...])
    while let count = reader.count(), let hash = reader.number(UInt64.self),
      let body = reader.bytes(count), Self.hash(body) == hash, let entry = entry(of: body)
    { entries.append(entry) }
    return entries
  }

  /// Bytes of an entry behind its length and hash.
  static func body(of entry: JournalEntry) -> JournalBytes {
    var body = JournalBytes()
    body.number(entry.sequence)
    body.number(entry.version)
    for change in entry.changes { change.write(to: &body) }
    return body
  }

  /// The entry with a body; nil where that is none, or of a version to come.
  static func entry(of body: ArraySlice<UInt8>) -> JournalEntry? {
    var reader = JournalReader(body)
    guard let sequence = reader.number(UInt64.self), let version = reader.number(UInt32.self)
    else { return nil }
    var changes: [StateChange] = []
    while !reader.isAtEnd {
      guard let change = StateChange(&reader) else { return nil }
      changes.append(change)
    }
    return JournalEntry(sequence: sequence, version: version, changes: changes)
  }

  private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { attacca_xxh3_128bits($0.baseAddress, $0.count).low64 }
  }

  private static func files(in folder: String) -> [UInt64] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var numbers: [UInt64] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { continue }
      if let number = UInt64(name.dropFirst(prefix.count).dropLast(suffix.count)) {
        numbers.append(number)
      }
    }
    return numbers
  }

  private static func contents(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      let count = withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 1) { piece in
        let count = read(descriptor, piece.baseAddress, piece.count)
        if count > 0 { bytes.append(contentsOf: piece[..<count]) }
        return count
      }
      if count == 0 { return bytes }
      if count < 0, errno != EINTR { return nil }
    }
  }

  private func failure(_ call: String) -> StoreError {
    let code = errno
    return StoreError(
      path: path, call: call, code: code,
      cause: "cannot be written: \(String(cString: strerror(code)))")
  }
}
