// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime

/// The timers of one timebase: one timer of the system for all of them, set for the next one.
final class TimebaseTimers: @unchecked Sendable {
  private struct Entry {
    let queue: DispatchQueue
    let block: @Sendable () -> Void
  }

  // @unchecked: `entries` and `lastID` are touched only between wait and signal of `semaphore`,
  // `schedule` and `alarm` only on `queue`; `timebase` is set once, before anyone else has this.
  private let queue = DispatchQueue(label: "attacca.timebase")
  private let semaphore = DispatchSemaphore(value: 1)
  private var entries: [Int: Entry] = [:]
  private var lastID = 0
  private var schedule = TimerSchedule()
  private var alarm: Alarm
  weak var timebase: ReadOnlyTimebase?

  init() { alarm = Alarm(queue: queue) }

  deinit { alarm.cancel() }

  func add(queue target: DispatchQueue, _ block: @escaping @Sendable () -> Void) -> TimebaseTimer {
    let id = semaphore.withLock {
      lastID += 1
      entries[lastID] = Entry(queue: target, block: block)
      return lastID
    }
    return TimebaseTimer(id: id, timers: self)
  }

  func set(_ time: Int128?, id: Int) {
    queue.async { [self] in
      // Removed since: nothing would take it out of the schedule again.
      guard entry(id) != nil else { return }
      schedule.set(time, id: id)
      look()
    }
  }

  func remove(id: Int) {
    // The block goes at once: what it holds may hold the timer.
    let removed = semaphore.withLock { entries.removeValue(forKey: id) }
    if removed != nil { queue.async { self.schedule.set(nil, id: id) } }
  }

  private func entry(_ id: Int) -> Entry? { semaphore.withLock { entries[id] } }

  func fire(id: Int) {
    entry(id)?.queue.async { [weak self] in
      // Removed since: no new call starts.
      self?.entry(id)?.block()
    }
  }

  /// The timebase moves otherwise than it did.
  ///
  /// Any thread; never waits.
  func timeChanged() { queue.async { self.look() } }

  /// On the queue.
  private func look() {
    dispatchPrecondition(condition: .onQueue(queue))
    alarm.cancel()
    guard !schedule.isEmpty, let timebase else { return }
    let reading = timebase.reading(atHostTime: HostTime.now())
    for id in schedule.takeDue(at: reading.time, rate: reading.effectiveRate) { fire(id: id) }
    guard !schedule.isEmpty else { return }
    let next = schedule.next(rate: reading.effectiveRate).flatMap(timebase.hostTime(ofTime:))
    guard let due = [next, reading.changesAt].compactMap(\.self).min() else { return }
    alarm.set(for: due) { [weak self] in self?.look() }
  }
}
