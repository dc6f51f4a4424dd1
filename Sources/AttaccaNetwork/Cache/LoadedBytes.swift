// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Glibc

/// Bytes of one file as they are loaded: in the cache where they are kept for later runs, else in a spool.
final class LoadedBytes: @unchecked Sendable {
  // @unchecked: what is mutable is touched only between wait and signal of `semaphore`; files are for all threads.
  private let spool: Spool
  private let semaphore = DispatchSemaphore(value: 1)
  private var entry: CacheEntry?
  /// Ranges in the spool, for which the cache had no room; nil while it has.
  private var overflow: LoadedRanges?

  /// Bytes in `spool`.
  init(_ spool: Spool) { self.spool = spool }

  /// Takes `entry` for all bytes from now on; before the first.
  func keep(in entry: CacheEntry) { semaphore.withLock { self.entry = entry } }

  /// True while all of them are kept for later runs.
  var isKept: Bool { semaphore.withLock { entry != nil && overflow == nil } }

  /// Writes all of `bytes` from `offset` on.
  ///
  /// - Returns: the negated `errno` of a failure, else 0.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    let entry = semaphore.withLock { overflow == nil ? self.entry : nil }
    if let entry {
      if entry.write(bytes, at: offset) == 0 { return 0 }
      // What is kept for later gives way to what is played now.
      entry.folder.makeRoom(for: .max)
      if entry.write(bytes, at: offset) == 0 { return 0 }
    }
    let code = spool.write(bytes, at: offset)
    if code == 0 {
      semaphore.withLock {
        guard self.entry != nil else { return }
        overflow = overflow ?? LoadedRanges()
        overflow?.insert(offset..<offset + Int64(bytes.count))
      }
    }
    return code
  }

  /// Reads some of what has been written from `offset` on.
  ///
  /// - Returns: bytes read, or the negated `errno` of a failure: EBADMSG for what an earlier run has not kept well.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let (entry, run, next) = semaphore.withLock {
      (self.entry, overflow?.run(from: offset) ?? 0, overflow?.next(behind: offset) ?? .max)
    }
    guard let entry else { return spool.read(at: offset, into: buffer) }
    let count = Int(min(run > 0 ? run : next - offset, Int64(buffer.count)))
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    return run > 0 ? spool.read(at: offset, into: part) : entry.read(at: offset, into: part)
  }

  /// Enters `range`, which was written, into the entry's table as far as whole blocks are `loaded`.
  func seal(_ range: Range<Int64>, of loaded: LoadedRanges) {
    let entry = semaphore.withLock { overflow == nil ? self.entry : nil }
    entry?.seal(range, of: loaded)
  }

  /// Gives up the disk's room for `range`; where the file system cannot, that is kept.
  func forget(_ range: Range<Int64>) {
    spool.forget(range)
    semaphore.withLock { overflow?.remove(range) }
  }
}
