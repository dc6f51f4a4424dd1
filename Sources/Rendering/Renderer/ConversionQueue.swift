// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Queue on which a renderer converts what nobody's thread waits for.
struct ConversionQueue {
  let queue = DispatchQueue(label: "attacca.conversion")
  /// Made once, so that no call allocates.
  private let pending: any DispatchSourceUserDataAdd

  init() { pending = DispatchSource.makeUserDataAddSource(queue: queue) }

  /// Has `convert` called there after each `wake()`.
  func activate(_ convert: @escaping @Sendable () -> Void) {
    pending.setEventHandler(handler: convert)
    pending.activate()
  }

  /// There may be room for frames that found none.
  func wake() { pending.add(data: 1) }
}
