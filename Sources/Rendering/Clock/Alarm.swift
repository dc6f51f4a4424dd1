// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime

/// One timer of the system for whatever is due next, on a queue that everything here runs on.
struct Alarm {
  /// It is set for a part of a long way, then again: by then a device's clock is known better.
  ///
  /// At 500 ppm of drift the last step of under a second is right to half a millisecond.
  private static let longStep: UInt64 = 1_000_000_000
  /// Nanoseconds of the longest step, a day: a time that stands for "never" is no interval of the
  /// system's.
  private static let longestStep: UInt64 = 86_400_000_000_000

  typealias MakeTimer = @Sendable (DispatchQueue) -> any DispatchSourceTimer

  private let queue: DispatchQueue
  private let makeTimer: MakeTimer
  private var timer: (any DispatchSourceTimer)?

  init(queue: DispatchQueue, makeTimer: @escaping MakeTimer = strictTimer) {
    (self.queue, self.makeTimer) = (queue, makeTimer)
  }

  /// One that is not put off to save a wakeup.
  static let strictTimer: MakeTimer = { DispatchSource.makeTimerSource(flags: .strict, queue: $0) }

  mutating func cancel() {
    timer?.cancel()
    timer = nil
  }

  /// Calls `block` at a host time, or on the way there: it looks what is due, and sets it again.
  mutating func set(for hostTime: UInt64, _ block: @escaping @Sendable () -> Void) {
    cancel()
    let now = HostTime.now()
    let wait = hostTime > now ? hostTime - now : 0
    let step = min(
      wait > Self.longStep ? wait - max(wait / 16, Self.longStep / 2) : wait, Self.longestStep)
    let timer = makeTimer(queue)
    timer.setEventHandler(handler: block)
    // A tenth of a millisecond late rather than early: an early one would look again in vain.
    timer.schedule(deadline: .now() + .nanoseconds(Int(step) + 100_000))
    timer.resume()
    self.timer = timer
  }
}
