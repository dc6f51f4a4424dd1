// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The length searches that somebody holds, by file; thread-safe.
enum SharedSearches {
  private struct Entry {
    weak var search: LengthSearch?
  }

  // Touched only between wait and signal of `semaphore`.
  nonisolated(unsafe) private static var entries: [RegularFile.Key: Entry] = [:]
  private static let semaphore = DispatchSemaphore(value: 1)

  static func find(_ key: RegularFile.Key) -> LengthSearch? {
    // Its last reference may be let go behind the semaphore only: that comes back here.
    semaphore.wait()
    let found = entries[key]?.search
    semaphore.signal()
    return found
  }

  /// - Returns: `search`, or one that another thread has kept for the same file meanwhile.
  static func keep(_ search: LengthSearch, for key: RegularFile.Key) -> LengthSearch {
    semaphore.wait()
    let found = entries[key]?.search
    if found == nil { entries[key] = Entry(search: search) }
    semaphore.signal()
    return found ?? search
  }

  /// Drops the entry of a search that is gone, if another has not taken its place.
  static func forget(_ key: RegularFile.Key) {
    semaphore.wait()
    let found = entries[key]?.search
    if found == nil { entries[key] = nil }
    semaphore.signal()
    withExtendedLifetime(found) {}
  }
}
