// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Calls time observers when they are due: one timer for all of them, set for the next one.
///
/// Everything here runs on `queue`; observers are called on the queues they asked for.
final class ObserverClock: @unchecked Sendable {
  typealias Callback = @Sendable (_ ticks: Int64) -> Void

  private struct Observer {
    let queue: DispatchQueue
    let callback: Callback
  }

  // @unchecked: mutable state is touched only on `queue`, `nextID` and `observers` also under
  // `semaphore` so that removal takes effect at once.
  let queue = DispatchQueue(label: "attacca.observers")
  private let semaphore = DispatchSemaphore(value: 1)
  private var observers: [Int: Observer] = [:]
  private var nextID = 0
  private var schedule = ObserverSchedule()
  private var last: ClockReading?
  private var alarm: Alarm
  private var follower: (@Sendable () -> Void)?
  weak var source: (any ClockSource)?

  /// `makeTimer` makes each timer that is set.
  init(makeTimer: @escaping Alarm.MakeTimer = Alarm.strictTimer) {
    alarm = Alarm(queue: queue, makeTimer: makeTimer)
  }

  deinit { alarm.cancel() }

  private func add(
    queue target: DispatchQueue?, _ callback: @escaping Callback,
    _ schedule:
      @escaping @Sendable (inout ObserverSchedule, Int, ClockReading) -> [(id: Int, told: Int64)]
  ) -> TimeObservation {
    semaphore.wait()
    nextID += 1
    let id = nextID
    observers[id] = Observer(queue: target ?? .main, callback: callback)
    semaphore.signal()
    queue.async { [self] in
      guard let reading = source?.reading() else { return }
      settle(reading)
      call(schedule(&self.schedule, id, reading))
      evaluate()
    }
    return TimeObservation(id: id, owner: self)
  }

  func addBoundaries(
    _ ticks: [Int64], queue: DispatchQueue?, _ callback: @escaping Callback
  ) -> TimeObservation {
    // The queue may be kept from its turn until some of them have been crossed.
    let asked = source?.reading()
    return add(queue: queue, callback) { schedule, id, reading in
      let isSame = asked?.traversal == reading.traversal
      let begin = isSame ? asked?.ticks : reading.traversalStart
      return schedule.addBoundaries(ticks, id: id, since: begin ?? reading.ticks)
    }
  }

  func addPeriodic(
    interval: Int64, queue: DispatchQueue?, _ callback: @escaping Callback
  ) -> TimeObservation {
    add(queue: queue, callback) { schedule, id, reading in
      schedule.addPeriodic(interval: interval, id: id, now: reading.ticks)
      return []
    }
  }

  /// Calls once, as soon as media time is at or after `ticks`: for what must not be missed.
  func addDeadline(
    _ ticks: Int64, traversal: Int, queue: DispatchQueue?, _ callback: @escaping Callback
  ) -> TimeObservation {
    add(queue: queue, callback) { schedule, id, _ in
      schedule.addDeadline(ticks, traversal: traversal, id: id)
      return []
    }
  }

  func remove(id: Int) {
    semaphore.wait()
    observers[id] = nil
    semaphore.signal()
    queue.async { self.schedule.remove(id: id) }
  }

  /// Calls `block` on the queue whenever media time moves otherwise than it did, once that is heard.
  func follow(_ block: @escaping @Sendable () -> Void) {
    queue.async {
      self.follower = block
      self.evaluate()
    }
  }

  /// Media time moves otherwise than it did.
  ///
  /// Any thread; never waits.
  func timelineChanged() {
    queue.async { self.evaluate() }
  }

  private func call(_ ids: [Int], at ticks: Int64) { call(ids.map { ($0, ticks) }) }

  private func call(_ due: [(id: Int, told: Int64)]) {
    for (id, ticks) in due {
      semaphore.wait()
      let observer = observers[id]
      semaphore.signal()
      guard let observer else { continue }
      observer.queue.async { [weak self] in
        // Removed since: no new call starts.
        guard self?.isObserving(id) ?? false else { return }
        observer.callback(ticks)
      }
    }
  }

  private func isObserving(_ id: Int) -> Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    return observers[id] != nil
  }

  /// Tells everyone who became due up to `reading`.
  private func settle(_ reading: ClockReading) {
    dispatchPrecondition(condition: .onQueue(queue))
    defer { last = reading }
    guard let last else {
      _ = schedule.jumped(to: reading.ticks, isReversed: reading.isReversed)
      return
    }
    if last.traversal != reading.traversal {
      // From where it began: by the time of this reading it has gone on already.
      let told = schedule.jumped(to: reading.traversalStart, isReversed: reading.isReversed)
      call(told, at: reading.mediaTicks)
    } else if last.isRunning != reading.isRunning {
      call(schedule.ran(to: reading.ticks, traversal: reading.traversal))
      let told = schedule.jumped(to: reading.ticks, isReversed: reading.isReversed)
      call(told, at: reading.mediaTicks)
      return
    }
    call(schedule.ran(to: reading.ticks, traversal: reading.traversal))
  }

  private func evaluate() {
    dispatchPrecondition(condition: .onQueue(queue))
    alarm.cancel()
    guard let source else { return }
    let reading = source.reading()
    settle(reading)
    follower?()
    var due = reading.changesAt
    if reading.isRunning, let next = schedule.nextDue(in: reading.traversal),
      let time = source.hostTime(ofTicks: next)
    {
      due = min(due ?? .max, time)
    }
    guard let due, !schedule.isEmpty || follower != nil else { return }
    alarm.set(for: due) { [weak self] in self?.evaluate() }
  }
}
