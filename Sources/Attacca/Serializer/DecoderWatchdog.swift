// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

/// The decoder thread of a serializer, and the watch over it.
///
/// Everything but `steps` themselves runs on the serializer's queue.
final class DecoderWatchdog: @unchecked Sendable {
  /// Makes an item's source, which is not open yet.
  typealias Opener = @Sendable (PlaylistItem) throws -> any FrameSource

  /// A decoder that makes no progress for so long is given up on.
  let limit: WaitingLimit
  /// Files that are open before a step wants them.
  let ahead: OpeningAhead
  /// Threads that may be left hanging.
  static let abandonedLimit = 4

  // @unchecked: mutable state is touched only on the serializer's queue.
  private let open: Opener
  private var thread: DecoderThread?
  /// Steps that were given up on, and have not come back.
  private var left: [(pending: PendingOutcome, isGivenUp: Bool)] = []
  private(set) var current: Current?
  /// The moment at which the watch looks next, at the latest.
  private var looksAt: UInt64 = .max
  /// A step was begun since it looked.
  private var hasWorked = false
  private weak var serializer: SampleBufferSerializer?
  // Made once, for all steps: a closure or a timer for each would be memory to allocate.
  /// Told by the threads that an outcome is there.
  private var arrivals: (any DispatchSourceUserDataAdd)?
  private var watch: (any DispatchSourceTimer)?

  /// The step under way.
  struct Current {
    let pending: PendingOutcome
    /// The number of the `DecodeAhead` that it is for.
    let content: Int
    let item: PlaylistItem
    /// The moment at which it was begun.
    let begin: UInt64
    /// Nanoseconds that it may take without getting on, and when they are over.
    let limit: UInt64
    var deadline: UInt64
  }

  /// A decoder of what items play.
  convenience init() {
    let pool = FramePool()
    self.init(opening: { try $0.makeSource(pool: pool) })
  }

  /// `open` makes the source of an item; `timeout` is in seconds.
  ///
  /// A disk that sleeps takes 10 s to turn, a server on the network up to 30.
  convenience init(opening open: @escaping Opener, timeout: Double = 30) {
    self.init(WaitingLimit(seconds: timeout), OpeningAhead(open: open), open)
  }

  private init(_ limit: WaitingLimit, _ ahead: OpeningAhead, _ open: @escaping Opener) {
    (self.limit, self.ahead, self.open) = (limit, ahead, open)
  }

  /// One that opens files the same way, on a thread of its own.
  func another() -> DecoderWatchdog { DecoderWatchdog(limit, ahead, open) }

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

  /// True while a step is under way.
  var isBusy: Bool { current != nil }

  /// Number of the content that the step under way is for; nil where none is.
  var content: Int? { current?.content }

  /// Tells whether the step under way has taken so many nanoseconds.
  func isSlow(by time: Int) -> Bool {
    current.map { $0.begin + UInt64(time) <= HostTime.now() } ?? false
  }

  /// The answer of the source that the step under way reads, where it is that it waits.
  var sourceWait: SourceWait? { current?.pending.wait?.wait }

  /// True once the step under way has opened its file.
  var hasOpenedFile: Bool { current?.pending.isOpen == true }

  /// Threads that have been left hanging; those that nobody waits for any more may just be slow.
  var abandoned: Int { left.count { $0.isGivenUp } }

  /// Carries out `step` on the decoder thread and tells the serializer when its outcome is there to be
  /// taken, or that it was given up on when it takes longer than the limit.
  ///
  /// A buffer that is not urgent lies until `collect()` or `hurry()`: two wakeups of the queue
  /// become one.
  func run(_ step: DecodeStep, for content: Int, isUrgent: Bool) {
    require(!isBusy, "two decode steps at once")
    guard let arrivals else { trap("a decode step for no serializer") }
    let thread =
      self.thread
      ?? DecoderThread(open: open, ahead: ahead, arrivals: arrivals) { [weak serializer] in
        serializer?.hasToFollow ?? true
      }
    self.thread = thread
    thread.perform(step, isUrgent: isUrgent)
    let limit = limit.nanoseconds
    let begin = HostTime.now()
    let deadline = begin + limit
    current = Current(
      pending: thread.pending, content: content, item: step.item, begin: begin, limit: limit,
      deadline: deadline)
    hasWorked = true
    if deadline < looksAt { look(at: deadline) }
  }

  private func outcomeArrived() {
    // Given up on, and back after all.
    left.removeAll { $0.pending.take() != nil }
    collect()
  }

  /// Tells of an outcome that lies here.
  ///
  /// Whoever takes it is the only one to hold its memory, which is free for the next step as soon as
  /// it is enqueued: one buffer goes round, not two.
  func collect() {
    guard let current, current.pending.isThere else { return }
    self.current = nil
    serializer?.take(current.pending, for: current.content)
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
      repeating: limit.seconds)
  }

  private func look() {
    let now = HostTime.now()
    let isIdle = !hasWorked
    (hasWorked, looksAt) = (false, now + limit.nanoseconds)
    if let current, !current.pending.isThere {
      // A source that says that it waits does not hang.
      let alive = current.pending.wait.map { $0.hostTime + current.limit }
      let deadline = max(current.deadline, alive ?? 0)
      guard deadline <= now else { return look(at: deadline) }
      // A place in a long file may take minutes to be found.
      if current.pending.hasGotOn() {
        self.current?.deadline = now + current.limit
        return look(at: now + current.limit)
      }
      letGo(isGivenUp: true)
      let skipped = current.pending.takeSkipped()
      serializer?.giveUp(
        skipped?.next.item ?? current.item, skipped, for: current.content, after: current.limit)
    } else if isIdle {
      looksAt = .max
      watch?.schedule(deadline: .distantFuture)
    }
  }

  /// Leaves the step under way, if any, to itself: nobody wants its outcome any more, and its thread
  /// ends with it.
  func letGo(isGivenUp: Bool = false) {
    guard let current else { return }
    self.current = nil
    // If it is back already, nothing is left behind.
    if current.pending.hurry() {
      _ = current.pending.take()
      return
    }
    if let thread, thread.end() { left.append((current.pending, isGivenUp)) }
    if let source = current.pending.cancel() {
      // Whoever brings a source may do anything in there.
      nonisolated(unsafe) let source = source
      DispatchQueue(label: "attacca.cancel").async { source.cancel() }
    }
    thread = nil
  }

  func end() {
    arrivals?.cancel()
    watch?.cancel()
    thread?.end()
  }
}
