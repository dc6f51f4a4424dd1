// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The identity of a file, the same under two names.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ status: stat) {
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  private init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

  private static let lastInMemory = Atomic<UInt64>(0)

  /// Another one for each file in memory, which is none of the file system's.
  static func ofMemory() -> FileIdentity {
    FileIdentity(
      device: .max, inode: lastInMemory.add(1, ordering: .relaxed).newValue)
  }
}
