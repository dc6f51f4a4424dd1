// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

/// The decoder thread of a serializer, and the watch over it.
///
/// Everything but `steps` themselves runs on the serializer's queue.
final class Decoding: @unchecked Sendable {
  typealias Opener = @Sendable (BytePath) throws(SoundFileError) -> any FrameSource

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
  /// What was given up on, and has not come back.
  private var left: [PendingOutcome] = []
  private var current: Current?
  /// When the watch looks next, at the latest.
  private var looksAt: UInt64 = .max
  /// A step was begun since it looked.
  private var hasWorked = false
  private weak var serializer: SampleBufferSerializer?
  // Made once, for all steps: a closure or a timer for each would be memory to allocate.
  /// Told by the threads that an outcome is there.
  private var arrivals: (any DispatchSourceUserDataAdd)?
  private var watch: (any DispatchSourceTimer)?

  /// The step under way.
  private struct Current {
    let pending: PendingOutcome
    /// The number of the feed that it is for.
    let feed: Int
    let item: PlaylistItem
    /// Seconds that it may take, and when they are over.
    let limit: Double
    let deadline: UInt64
  }

  /// A decoder of files.
  convenience init() {
    let pool = FramePool()
    self.init(
      opening: { path throws(SoundFileError) in try SoundFile(path: path, pool: pool) },
      patience: 5)
  }

  /// `open` opens a path; `patience` is in seconds.
  init(opening open: @escaping Opener, patience: Double) {
    (self.patience, self.open) = (patience, open)
  }

  /// One that opens files the same way, on a thread of its own.
  func another() -> Decoding { Decoding(opening: open, patience: patience) }

  /// How many seconds a step of an item that follows may take where what plays lasts for `lead`
  /// seconds more: until `reserve` before its end, but never less than `leastPatience`, and never
  /// more than any step's `patience`.
  static func limit(lead: Double, patience: Double) -> Double {
    min(patience, max(lead - reserve, leastPatience))
  }

  /// Outcomes are for `serializer`.
  func attach(_ serializer: SampleBufferSerializer) {
    self.serializer = serializer
    let arrivals = DispatchSource.makeUserDataAddSource(queue: serializer.queue)
    arrivals.setEventHandler { [weak self] in self?.outcomeArrived() }
    arrivals.activate()
    let watch = DispatchSource.makeTimerSource(queue: serializer.queue)
    watch.setEventHandler { [weak self] in self?.look() }
    watch.activate()
    (self.arrivals, self.watch) = (arrivals, watch)
  }

  /// Whether a step is under way.
  var isBusy: Bool { current != nil }

  /// Threads that have been left hanging.
  var abandoned: Int { left.count }

  /// Carries out `step` on the decoder thread and tells the serializer when its outcome is there to be
  /// taken, or that it was given up on when it takes longer than `limit` seconds.
  ///
  /// A buffer that is not urgent lies until `collect()` or `hurry()`: two wakeups of the queue
  /// become one.
  func run(_ step: DecodeStep, for feed: Int, limit: Double, isUrgent: Bool) {
    require(!isBusy, "two decode steps at once")
    guard let arrivals else { trap("a decode step for no serializer") }
    let thread = self.thread ?? DecoderThread(open: open, arrivals: arrivals)
    self.thread = thread
    thread.perform(step, isUrgent: isUrgent)
    let deadline = HostTime.now() + UInt64(limit * 1e9)
    current = Current(
      pending: thread.pending, feed: feed, item: step.item, limit: limit, deadline: deadline)
    hasWorked = true
    if deadline < looksAt { look(at: deadline) }
  }

  private func outcomeArrived() {
    // Given up on, and back after all.
    left.removeAll { $0.take() != nil }
    collect()
  }

  /// Tells of an outcome that lies here.
  ///
  /// Whoever takes it is the only one to hold its memory, which is free for the next step as soon as
  /// it is enqueued: one buffer goes round, not two.
  func collect() {
    guard let current, current.pending.isThere else { return }
    self.current = nil
    serializer?.take(current.pending, for: current.feed)
  }

  /// The outcome of the step under way is wanted as soon as it is there.
  func hurry() {
    guard let current, current.pending.hurry() else { return }
    arrivals?.add(data: 1)
  }

  // One timer for all steps: setting it allocates, and costs a wakeup. It is left to run while steps
  // come and go, and looks at the one that is under way then.
  private func look(at hostTime: UInt64) {
    looksAt = hostTime
    let now = HostTime.now()
    watch?.schedule(
      deadline: .now() + .nanoseconds(hostTime > now ? Int(hostTime - now) : 0),
      repeating: patience)
  }

  private func look() {
    let now = HostTime.now()
    let isIdle = !hasWorked
    (hasWorked, looksAt) = (false, now + UInt64(patience * 1e9))
    if let current, !current.pending.isThere {
      guard current.deadline <= now else { return look(at: current.deadline) }
      letGo()
      serializer?.giveUp(current.item, for: current.feed, after: current.limit)
    } else if isIdle {
      looksAt = .max
      watch?.schedule(deadline: .distantFuture)
    }
  }

  /// Leaves the step under way, if any, to itself: nobody wants its outcome any more, and its thread
  /// ends with it.
  func letGo() {
    guard let current else { return }
    self.current = nil
    // If it is back already, nothing is left behind.
    if current.pending.hurry() {
      _ = current.pending.take()
      return
    }
    if let thread, thread.end() { left.append(current.pending) }
    thread = nil
  }

  func end() {
    arrivals?.cancel()
    watch?.cancel()
    thread?.end()
  }
}
