// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A few words that one thread at a time writes and any thread reads, without a lock.
///
/// H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012: the
/// words themselves are atomics, so a torn read is detected and is no data race. Writers must be
/// serialised by the caller. Readers retry while a write is under way, which lasts nanoseconds.
package final class SeqLock: Sendable {
  private let words: WordArray
  private let sequence = Atomic<UInt64>(0)

  /// Owned by the lock: allocated in `init`, freed in `deinit`.
  private struct WordArray: @unchecked Sendable {
    // @unchecked: the words are atomics, and the pointer never changes.
    let base: UnsafeMutablePointer<Atomic<UInt64>>
    let count: Int
  }

  /// `count` words of zero.
  package init(count: Int) {
    let base = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: count)
    for i in 0..<count { (base + i).initialize(to: Atomic(0)) }
    words = WordArray(base: base, count: count)
  }

  deinit {
    words.base.deinitialize(count: words.count)
    words.base.deallocate()
  }

  /// Stores word `i` as `value(i)` tells.
  ///
  /// Callers are serialised by a lock of their own.
  package func write(_ value: (Int) -> UInt64) {
    let now = sequence.load(ordering: .relaxed)
    // Odd: a write is under way. The release fence of each word's store orders it after this.
    sequence.store(now &+ 1, ordering: .relaxed)
    for i in 0..<words.count { words.base[i].store(value(i), ordering: .releasing) }
    sequence.store(now &+ 2, ordering: .releasing)
  }

  /// Hands word by word to `take`, again from the start whenever a write came between; what the
  /// last round took is consistent.
  package func read(_ take: (Int, UInt64) -> Void) {
    while true {
      let before = sequence.load(ordering: .acquiring)
      guard before & 1 == 0 else { continue }
      for i in 0..<words.count { take(i, words.base[i].load(ordering: .acquiring)) }
      // The acquiring loads above keep this one after them.
      if sequence.load(ordering: .relaxed) == before { return }
    }
  }
}
