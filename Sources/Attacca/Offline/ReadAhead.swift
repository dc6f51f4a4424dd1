// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Dispatch
import Glibc
import MediaTime
import Rendering
import SampleBuffers
import SoundFiles

/// Reads the items of a list on several threads, ahead of the one that takes what was read, in order.
///
/// An item that can be is cut into segments, and these are read side by side. What waits to be taken
/// is bounded, whatever the length of the list and its items.
///
/// A read that hangs is given up, and with it the item and the thread.
final class ReadAhead: @unchecked Sendable {
  // @unchecked: all below `semaphore` is touched only between its wait and signal.

  /// The next piece of an item, or its end.
  enum Outcome {
    case chunk(Chunk)
    /// No frame follows, and this is why it was cut short, if it was.
    case ended((any Error)?)
    /// It cannot be played, or not further.
    case failed(any Error)
    /// Too many threads hang: nothing more can be had.
    case hopeless(any Error)
  }

  /// Chunks of a segment: so many that finding its begin, 1 ms in FLAC, is nothing beside reading it.
  private static let chunksPerStretch = 4

  private let items: [PlaylistItem]
  private let overlaps: BounceOverlaps
  private let queue: DispatchQueue
  private let sizes: Bounce.Sizes

  private let semaphore = DispatchSemaphore(value: 1)
  /// Segments that have been begun or are about to be, in order; the first one is being taken from.
  private var segments: Deque<ReadSegment> = []
  private var nextItem = 0
  private var jobs = 0
  private var lastJob = 0
  /// Chunks that wait or are being read.
  private var waiting = 0
  /// Jobs that were given up and have not come back.
  private var abandoned: Set<Int> = []
  private var isCancelled = false
  /// Signalled when who waits for a chunk should look again.
  private let news = DispatchSemaphore(value: 0)
  private var isAwaited = false

  /// Reads on threads of `queue`, a concurrent one.
  init(
    _ items: [PlaylistItem], on queue: DispatchQueue, sizes: Bounce.Sizes, overlaps: BounceOverlaps
  ) {
    (self.items, self.queue, self.sizes, self.overlaps) = (items, queue, sizes, overlaps)
  }

  // MARK: Taking

  /// Returns what comes next of the present item; waits until it is there.
  ///
  /// After `.ended` or `.failed` the item behind it is the present one.
  ///
  /// - Returns: nil at the end of the list, and when cancelled.
  func next() -> Outcome? {
    while true {
      let (outcome, isOver, deadline) = semaphore.withLock { take() }
      if let outcome { return outcome }
      if isOver { return nil }
      if news.wait(timeout: deadline) == .timedOut { semaphore.withLock { giveUpOverdue() } }
    }
  }

  /// Lets go of who waits, and reads no further.
  func cancel() {
    semaphore.withLock {
      isCancelled = true
      tell()
    }
  }

  private func take() -> (outcome: Outcome?, isOver: Bool, deadline: DispatchTime) {
    var outcome: Outcome?
    while outcome == nil, !isCancelled, let first = segments.first {
      if let chunk = first.chunks.popFirst() {
        waiting -= 1
        outcome = .chunk(chunk)
        break
      }
      guard let end = first.end else {
        outcome = despair(of: first.item).map { .hopeless($0) }
        break
      }
      switch end {
      case .continued: segments.removeFirst()
      case .ended(let truncation): outcome = .ended(truncation)
      case .failed(let error): outcome = .failed(error)
      }
      if outcome != nil {
        let (item, position) = (first.item, first.position)
        drop { $0.item == item }
        if overlaps.end(item, at: position) {
          drop { _ in true }
          nextItem = item + 1
        }
      }
    }
    if case .hopeless = outcome { isCancelled = true }
    refill()
    let isOver = isCancelled || (segments.isEmpty && nextItem == items.count)
    isAwaited = outcome == nil && !isOver
    return (outcome, isOver, isAwaited ? deadline : .now())
  }

  private func drop(while isDropped: (ReadSegment) -> Bool) {
    while let first = segments.first, isDropped(first) {
      waiting -= first.chunks.count + (first.job == nil ? 0 : 1)
      if first.job != nil { jobs -= 1 }
      first.job = nil
      segments.removeFirst()
    }
  }

  private func tell() {
    guard isAwaited else { return }
    isAwaited = false
    news.signal()
  }

  // MARK: Reading

  /// Starts what reads there may be: those that will be taken first, first.
  private func refill() {
    let limit = 2 * Self.chunksPerStretch * sizes.threads
    // Threads that hang are not waited for: the queue makes others.
    while jobs < sizes.threads, !isCancelled {
      let idle = segments.first { $0.job == nil && $0.end == nil }
      // What is taken now must not wait for what others have read.
      if let idle, waiting < limit || (idle === segments.first && idle.chunks.isEmpty) {
        start(idle)
      } else if idle == nil, nextItem < items.count, waiting < limit, segments.count < limit {
        segments.append(ReadSegment(item: nextItem))
        nextItem += 1
      } else {
        break
      }
    }
  }

  private func start(_ segment: ReadSegment) {
    lastJob += 1
    let number = lastJob
    segment.job = (number, nil)
    jobs += 1
    waiting += 1
    let item = segment.item
    let position = segment.position
    nonisolated(unsafe) let source = segment.source  // Handed to this job, which hands it back.
    segment.source = nil
    let until = segment.until
    queue.async { [self] in
      guard semaphore.withLock({ hasBegun(number) }) else { return }
      read(number, item, source, position, until)
    }
  }

  /// - Returns: whether the job is still wanted.
  private func hasBegun(_ number: Int) -> Bool {
    guard let segment = segment(of: number), !isCancelled else { return false }
    segment.job?.since = HostTime.now()
    return true
  }

  private func segment(of job: Int) -> ReadSegment? { segments.first { $0.job?.number == job } }

  /// Carries a job out; on a thread of the queue, for as long as it takes.
  private func read(
    _ job: Int, _ item: Int, _ source: (any FrameSource)?, _ position: Int64,
    _ until: Int64?
  ) {
    var current = source
    var chunk: Chunk?
    var end: ReadSegment.End?
    do {
      let opened: any FrameSource
      if let current {
        opened = current
      } else {
        opened = try overlaps.source(item)
        try opened.open()
        overlaps.loudness.learn(opened, of: item, open: overlaps.opened)
        current = opened
        if position > 0 { try opened.seek(to: position) }
      }
      let frames = sizes.chunkSamples / opened.format.channelCount
      let wanted = min(frames, until.map { Int($0 - position) } ?? frames)
      chunk = try reading(for: job) { try opened.read(frames: wanted) }
      if chunk == nil { end = .ended(opened.truncation) }
    } catch {
      end = .failed(error)
    }
    semaphore.withLock { finish(job, current, chunk, end) }
  }

  /// Runs `body` again and again for as long as the source that it reads waits.
  private func reading(for job: Int, _ body: () throws -> Chunk?) throws -> Chunk? {
    while true {
      do {
        return try body()
      } catch let error as SourceIsWaiting {
        // Whoever waits does not hang.
        guard semaphore.withLock({ hasBegun(job) }) else { throw CancellationError() }
        usleep(UInt32(error.wait.milliseconds * 1_000))
      }
    }
  }

  private func finish(
    _ job: Int, _ source: (any FrameSource)?, _ chunk: Chunk?, _ end: ReadSegment.End?
  ) {
    abandoned.remove(job)
    guard let segment = segment(of: job) else { return }
    segment.job = nil
    jobs -= 1
    (segment.source, segment.end) = (source, end)
    if let source, !segment.isPlanned { plan(segment, source) }
    if let chunk {
      segment.chunks.append(chunk)
      segment.position += Int64(chunk.frameCount)
    } else {
      waiting -= 1
    }
    if end != nil {
      segment.source = nil
    } else if let until = segment.until, segment.position >= until {
      segment.end = .continued
      handOn(segment)
    }
    refill()
    tell()
  }

  /// Cuts an item that has just been opened.
  private func plan(_ segment: ReadSegment, _ source: any FrameSource) {
    segment.isPlanned = true
    let length = Int64(Self.chunksPerStretch * (sizes.chunkSamples / source.format.channelCount))
    guard source.canBeReadInParts, let count = source.frameCount, count > length,
      let place = segments.firstIndex(where: { $0 === segment })
    else { return }
    segment.until = length
    // The last one reads on until it meets the end, as who reads the whole does.
    let rest = stride(from: length, to: count, by: Int(length)).map {
      ReadSegment(
        item: segment.item, begin: $0, until: $0 + length < count ? $0 + length : nil,
        isPlanned: true)
    }
    segments.insert(contentsOf: rest, at: place + 1)
  }

  /// The next segment, if nobody has begun it, goes on with this one's source.
  private func handOn(_ segment: ReadSegment) {
    let source = segment.source
    segment.source = nil
    guard let place = segments.firstIndex(where: { $0 === segment }),
      place + 1 < segments.count
    else { return }
    let next = segments[place + 1]
    guard next.item == segment.item, next.job == nil, next.position == next.begin else { return }
    next.source = source
  }

  // MARK: Reads that hang

  /// The moment at which the first of the reads under way is given up.
  private var deadline: DispatchTime {
    let begun = segments.compactMap { $0.job?.since }.min() ?? HostTime.now()
    let due = begun + UInt64(sizes.timeout * 1e9)
    let now = HostTime.now()
    return .now() + .nanoseconds(due > now ? Int(due - now) : 0)
  }

  private func giveUpOverdue() {
    isAwaited = false
    let now = HostTime.now()
    for segment in segments {
      guard let job = segment.job, let since = job.since,
        now >= since + UInt64(sizes.timeout * 1e9)
      else { continue }
      segment.job = nil
      jobs -= 1
      waiting -= 1
      abandoned.insert(job.number)
      segment.end = .failed(
        SoundFileError(
          .broken, path: items[segment.item].path, call: "decode",
          cause: "no progress for \(Int(sizes.timeout * 1_000)) ms; given up on"))
    }
  }

  /// No file can be trusted to come back where so many did not.
  private func despair(of item: Int) -> SoundFileError? {
    guard abandoned.count > DecoderWatchdog.abandonedLimit else { return nil }
    return SoundFileError(
      .broken, path: items[item].path, call: "decode",
      cause: "\(abandoned.count) decoder threads hang; nothing more can be played")
  }
}
