// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The waits of an output, each of which ends on `queue`.
struct OutputTimers {
  let queue = DispatchQueue(label: "attacca.pulse-output")
  private var wake: (any DispatchSourceTimer)?
  /// Asks for reports between requests that are further apart than `PulseAudioOutput.reportInterval`.
  private var reports: (any DispatchSourceTimer)?
  /// The wait before the next attempt to open a stream.
  private var attempt: (any DispatchSourceTimer)?

  /// True while a wake is due.
  var isWakeSet: Bool { wake != nil }
  /// True while reports are asked for between the server's requests.
  var isReporting: Bool { reports != nil }

  /// Does `body` once, after some nanoseconds and a millisecond; what was to be done before is not.
  mutating func setWake(in nanoseconds: Int, _ body: @escaping @Sendable () -> Void) {
    wake?.cancel()
    wake = started(after: nanoseconds + 1_000_000, body)
  }

  mutating func cancelWake() {
    wake?.cancel()
    wake = nil
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

  private func started(
    after nanoseconds: Int, _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler(handler: body)
    timer.schedule(deadline: .now() + .nanoseconds(nanoseconds))
    timer.resume()
    return timer
  }
}
