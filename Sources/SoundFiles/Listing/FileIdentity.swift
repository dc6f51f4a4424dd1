// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What makes a file the same under two names.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ status: stat) {
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
