// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What was synced in this process, by the name it had then.
///
/// The program's own symbol goes before the C library's.
@_cdecl("fsync") public func loggedSync(_ descriptor: Int32) -> Int32 {
  SyncLog.shared.note(descriptor)
  return fdatasync(descriptor)
}

final class SyncLog: @unchecked Sendable {
  static let shared = SyncLog()

  // @unchecked: touched only between lock and unlock.
  private let lock = NSLock()
  private var synced: [String] = []

  /// The paths of what was synced that begin so.
  func paths(in folder: String) -> [String] {
    lock.withLock { synced.filter { $0.hasPrefix(folder) } }
  }

  fileprivate func note(_ descriptor: Int32) {
    var name = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
    lock.withLock { synced.append(String(decoding: name.prefix(max(count, 0)), as: UTF8.self)) }
  }
}
