// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime

/// The waits of an output, each of which ends on `queue`.
struct OutputTimers {
  let queue = DispatchQueue(label: "attacca.pulse-output")
  /// Made once: a source for each wake was an allocation every two seconds of steady play.
  private var wake: (any DispatchSourceTimer)?
  /// The host time from which on a wake is due, nanoseconds; nil while none is.
  private var wakeTime: UInt64?
  /// Asks for reports between requests that are further apart than `PulseAudioOutput.reportInterval`.
  private var reports: (any DispatchSourceTimer)?
  /// The wait before the next attempt to open a stream.
  private var attempt: (any DispatchSourceTimer)?

  /// True until the wake that was set has come.
  var isWakeSet: Bool { wakeTime != nil }
  /// True while reports are asked for between the server's requests.
  var isReporting: Bool { reports != nil }

  /// Has `body` called at each wake; once, before the first is set.
  mutating func prepareWakes(_ body: @escaping @Sendable () -> Void) {
    wake = started(after: nil, body)
  }

  /// Sets a wake after some nanoseconds and a millisecond; the one that was set before does not come.
  mutating func setWake(in nanoseconds: Int) {
    wakeTime = HostTime.now() + UInt64(max(0, nanoseconds))
    wake?.schedule(deadline: .now() + .nanoseconds(nanoseconds + 1_000_000))
  }

  /// Sets a wake where none is set that comes earlier.
  mutating func setWake(within nanoseconds: Int) {
    let time = HostTime.now() + UInt64(max(0, nanoseconds))
    if wakeTime.map({ time < $0 }) ?? true { setWake(in: nanoseconds) }
  }

  /// True at a call of a wake that is due, and from then on none is set.
  ///
  /// A call that was on its way when another wake was set, or none, is not due.
  mutating func takeWake() -> Bool {
    guard let wakeTime, HostTime.now() >= wakeTime else { return false }
    self.wakeTime = nil
    return true
  }

  mutating func cancelWake() {
    guard wakeTime != nil else { return }
    wakeTime = nil
    wake?.schedule(deadline: .distantFuture)
  }

  /// Does `body` every so many nanoseconds.
  mutating func setReports(every nanoseconds: Int, _ body: @escaping @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler(handler: body)
    let interval = DispatchTimeInterval.nanoseconds(nanoseconds)
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(20))
    timer.resume()
    reports = timer
  }

  mutating func cancelReports() {
    reports?.cancel()
    reports = nil
  }

  /// Does `body` once, after some nanoseconds; what was to be done before is not.
  mutating func setAttempt(in nanoseconds: Int, _ body: @escaping @Sendable () -> Void) {
    attempt?.cancel()
    attempt = started(after: nanoseconds, body)
  }

  mutating func cancelAll() {
    cancelWake()
    cancelReports()
    attempt?.cancel()
    attempt = nil
  }

  /// A timer that calls `body` once, after some nanoseconds; never by itself without them.
  private func started(
    after nanoseconds: Int?, _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler(handler: body)
    timer.schedule(deadline: nanoseconds.map { .now() + .nanoseconds($0) } ?? .distantFuture)
    timer.resume()
    return timer
  }
}
