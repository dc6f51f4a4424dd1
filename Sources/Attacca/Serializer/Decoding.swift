// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

/// The decoder thread of a serializer, and the watch over it.
///
/// Everything but `steps` themselves runs on the serializer's queue.
final class Decoding: @unchecked Sendable {
  typealias Opener = @Sendable (String) throws(SoundFileError) -> any FrameSource

  /// A decoder that makes no progress for so long is given up on.
  let patience: Double
  /// An item that follows is given up on so many seconds before what plays runs out, so that the
  /// one after it can be opened.
  static let reserve = 0.25
  /// The seconds that an item that follows has in any case.
  ///
  /// With `Latency.low` what plays never lasts longer than `reserve`, and a file that can be played
  /// must not be lost for it. A disk that seeks three times, 12 ms each, opens a file in less; what
  /// hangs costs a gap of no more.
  static let leastPatience = 0.05
  /// Threads that may be left hanging.
  static let abandonedLimit = 4

  // @unchecked: mutable state is touched only on the serializer's queue.
  private let open: Opener
  private var thread: DecoderThread?
  private(set) var abandoned = 0
  private var watch: (any DispatchSourceTimer)?
  /// The step under way, and when it is given up on.
  private var current: Current?
  /// When the watch looks next.
  private var looksAt: UInt64 = .max
  private weak var serializer: SampleBufferSerializer?

  private struct Current {
    let outcome: PendingOutcome
    let done: @Sendable (PendingOutcome) -> Void
    var deadline: UInt64 = .max
    var gaveUp: @Sendable () -> Void = {}
  }

  /// A decoder of files.
  convenience init() {
    let pool = FramePool()
    self.init { (path: String) throws(SoundFileError) in try SoundFile(path: path, pool: pool) }
  }

  /// `open` opens a path; `patience` is in seconds.
  init(patience: Double = 5, open: @escaping Opener) {
    (self.patience, self.open) = (patience, open)
  }

  /// One that opens files the same way, on a thread of its own.
  func another() -> Decoding { Decoding(patience: patience, open: open) }

  /// How many seconds a step of an item that follows may take where what plays lasts for `lead`
  /// seconds more: until `reserve` before its end, but never less than `leastPatience`, and never
  /// more than any step's `patience`.
  static func limit(lead: Double, patience: Double) -> Double {
    min(patience, max(lead - reserve, leastPatience))
  }

  func attach(_ serializer: SampleBufferSerializer) { self.serializer = serializer }

  /// Whether a step is under way.
  private(set) var isBusy = false

  /// Carries out `step` on the decoder thread and tells `done` on the queue when its outcome is there
  /// to be taken; `gaveUp` instead when it takes longer than `limit` seconds.
  ///
  /// A buffer that is not urgent lies until `collect()` or `hurry()`: two wakeups of the queue
  /// become one.
  func run(
    _ step: DecodeStep, limit: Double, isUrgent: Bool,
    done: @escaping @Sendable (PendingOutcome) -> Void,
    gaveUp: @escaping @Sendable (_ seconds: Double) -> Void
  ) {
    precondition(!isBusy, "two decode steps at once")
    isBusy = true
    let pending = PendingOutcome(isUrgent: isUrgent)
    let thread = self.thread ?? DecoderThread()
    self.thread = thread
    let (open, queue) = (self.open, serializer?.queue)
    thread.perform { [weak self] in
      guard pending.put(step.run(open: open)) else { return }
      queue?.async { [weak self] in self?.arrived(pending) }
    }
    current = Current(outcome: pending, done: done)
    arm(limit, gaveUp)
  }

  private func arrived(_ pending: PendingOutcome) {
    if current?.outcome === pending {
      collect()
    } else if pending.take() != nil {
      // Given up on, and back after all.
      abandoned -= 1
    }
  }

  /// Tells of an outcome that lies here.
  ///
  /// Whoever takes it is the only one to hold its memory, which is free for the next step as soon as
  /// it is enqueued: one buffer goes round, not two.
  func collect() {
    guard let current, current.outcome.isThere else { return }
    self.current = nil
    isBusy = false
    current.done(current.outcome)
  }

  /// The outcome of the step under way is wanted as soon as it is there.
  func hurry() {
    guard let current, current.outcome.hurry() else { return }
    let pending = current.outcome
    serializer?.queue.async { [weak self] in self?.arrived(pending) }
  }

  /// One timer for all steps: setting it costs a wakeup, so it is left to run while steps come and
  /// go, and looks at the one that is under way then.
  private func arm(_ limit: Double, _ gaveUp: @escaping @Sendable (Double) -> Void) {
    let deadline = HostTime.now() + UInt64(limit * 1e9)
    current?.deadline = deadline
    current?.gaveUp = { gaveUp(limit) }
    if deadline < looksAt { look(at: deadline) }
  }

  private func look(at hostTime: UInt64) {
    looksAt = hostTime
    let timer: any DispatchSourceTimer
    if let watch {
      timer = watch
    } else {
      timer = DispatchSource.makeTimerSource(queue: serializer?.queue)
      timer.setEventHandler { [weak self] in self?.look() }
      timer.resume()
      watch = timer
    }
    let now = HostTime.now()
    timer.schedule(deadline: .now() + .nanoseconds(hostTime > now ? Int(hostTime - now) : 0))
  }

  private func look() {
    looksAt = .max
    guard let current, !current.outcome.isThere else { return }
    guard current.deadline <= HostTime.now() else { return look(at: current.deadline) }
    abandon()
    current.gaveUp()
  }

  /// Leaves the step under way to itself: its thread ends with it.
  private func abandon() {
    guard let current else { return }
    (self.current, isBusy) = (nil, false)
    abandoned += 1
    // It tells when it comes back; if it is back already, nothing was abandoned.
    guard !current.outcome.hurry() else { return arrived(current.outcome) }
    thread?.end()
    thread = nil
  }

  /// Nobody wants the outcome of the step under way any more.
  func letGo() {
    if isBusy { abandon() }
  }

  func end() {
    watch?.cancel()
    thread?.end()
  }
}
