// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime

/// Timer that has a bus look at its voices, while one of them is about to stop or to run dry.
final class BusWatch: @unchecked Sendable {
  // @unchecked: `due` is touched only with the device's lock held, but in the handler, which `look` follows.
  private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "attacca.bus"))
  private var due = UInt64.max

  /// Nanoseconds between two looks at least: a device that does not move yet is not looked at all the time.
  private static let least: UInt64 = 2_000_000

  /// A timer that calls `look`, which takes the device's lock.
  init(_ look: @escaping @Sendable () -> Void) {
    timer.setEventHandler(handler: look)
    timer.activate()
  }

  deinit { timer.cancel() }

  /// Looks once `frames` frames of `rate` a second have passed; sooner where that has been asked for.
  func look(in frames: Int64, rate: Int, now: UInt64) {
    let wait = UInt64(max(0, frames)) * 1_000_000_000 / UInt64(rate)
    let wanted = now + max(wait, Self.least)
    guard wanted < due || due <= now else { return }
    due = wanted
    timer.schedule(deadline: .now() + .nanoseconds(Int(wanted - now)))
  }
}
