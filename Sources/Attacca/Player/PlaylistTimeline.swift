// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import MediaTime
public import Rendering
import SampleBuffers
public import SoundFiles

/// A player's list as one item: a book of many files, with one position, one duration and all chapters.
///
/// From the beginning on it reads the lengths of all items, one after the other, those from the current one on first;
/// edits of the list are followed. Position and seeks are exact as soon as the lengths before them are known, which
/// `lengths` says and `changes` tells. All members are thread-safe, and return at once.
public final class PlaylistTimeline: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`, the observations only by
  // `init` and `deinit`.

  /// Progress of a seek on the timeline of the whole list.
  public enum SeekOutcome: Sendable {
    /// The player has been asked for the seek.
    case begun(Edit)
    /// The seek is asked for as soon as the lengths up to its place are known, unless another one is before.
    case waiting
    /// Nothing is there to go to, or the time is no number.
    case refused
  }

  private let player: SampleBufferPlayer
  private let semaphore = DispatchSemaphore(value: 1)
  private var known: PlaylistLengths
  private var isReading = false
  private var work: LoadingWork?
  /// The item that was read last.
  private var lastRead: PlaylistItem.ID?
  /// The place to go to once it is known which item that is, and the start that would be taken back by then.
  private var waiting: (position: MediaTime, generation: Int)?
  private let queue = DispatchQueue(label: "attacca.timeline", qos: .utility)
  private let source = EventSource<PlaylistLengths>(coalescing: {
    $0 = $1
    return true
  })
  private var edits: EventObservation<PlaylistDifference>?
  private var events: EventObservation<PlaybackEvent>?

  /// The list of `player` as one item, as long as this is kept.
  public init(player: SampleBufferPlayer) {
    self.player = player
    let (changes, events) = (player.playlist.changes, player.events)
    known = PlaylistLengths(changes.snapshot)
    edits = changes.observe(on: queue) { [weak self] in self?.follow($0.items) }
    self.events = events.observe(on: queue) { [weak self] event in
      if case .durationDidChange(let item, let duration) = event {
        self?.learn(RationalTime(duration), of: item)
      }
    }
    read()
  }

  deinit {
    edits?.cancel()
    events?.cancel()
    work?.cancel()
  }

  /// The items on the line, as far as their lengths are known.
  public var lengths: PlaylistLengths { semaphore.withLock { known } }

  /// The length of all.
  public var duration: PlaylistDuration { lengths.duration }

  /// The chapters of all items on the line, as far as their places are known.
  public var chapters: [Chapter] { lengths.chapters }

  /// What is known, whenever that is more or another list: the latest, if several have come.
  public var changes: EventSequence<PlaylistLengths> { source.subscribe() }

  /// The place on the line that is heard; nil where nothing is, or the length of an item before it is not known yet.
  public var position: MediaTime? {
    player.heard.flatMap { lengths.position(of: $0.offset, in: $0.span.item.id) }
  }

  // MARK: Seeks

  /// Goes to a place on the line, exact to the frame; from stopped it becomes paused there.
  ///
  /// Before the beginning it is the beginning, behind the end the last item's end.
  @discardableResult
  public func seek(to position: MediaTime) -> SeekOutcome {
    guard position.isNumeric || position.isPositiveInfinity || position.isNegativeInfinity else {
      return .refused
    }
    let generation = player.playlist.queue.snapshot.generation
    let lengths = semaphore.withLock {
      waiting = nil
      return known
    }
    guard !lengths.items.isEmpty else { return .refused }
    let position = min(max(position, .zero), MediaTime(PlayedRange.end))
    if let edit = go(to: position, by: lengths) { return .begun(edit) }
    guard case .reading = lengths.duration else { return .refused }
    semaphore.withLock { waiting = (position, generation) }
    // It may have become known meanwhile.
    goOn()
    return .waiting
  }

  /// Goes `distance` on, or back, on the line, from where it was asked to be, into other items if need be.
  ///
  /// Where that is not known within the item it goes to the item's beginning or end.
  @discardableResult
  public func seek(by distance: MediaTime) -> SeekOutcome {
    guard distance.isNumeric, let (id, offset) = asked else { return .refused }
    let lengths = lengths
    let own = lengths.position(of: offset, in: id)
    guard let own, lengths.place(at: own + distance) != nil else {
      return .begun(player.seek(by: distance))
    }
    return seek(to: own + distance)
  }

  /// The place in an item at which playing was asked to be, until that is heard, and the one that is heard from then on;
  /// nil where there is none.
  ///
  /// Who steps on three times in a row is three steps on.
  private var asked: (id: PlaylistItem.ID, offset: MediaTime)? {
    let state = player.playlist.queue.snapshot
    if let (heard, span, _) = player.serializer.hearing, heard.generation == state.generation {
      return (span.item.id, MediaTime(span.duration.map { min($0, heard.offset) } ?? heard.offset))
    }
    return state.current.map { ($0.id, MediaTime(state.start.offset)) }
  }

  private func go(to position: MediaTime, by lengths: PlaylistLengths) -> Edit? {
    guard let (index, offset) = lengths.place(at: position) else { return nil }
    do throws(PlaylistError) {
      return try player.seek(to: lengths.items[index].id, offset: offset)
    } catch {
      // It has been taken out since; who edits and seeks at once gets one of the two.
      return nil
    }
  }

  /// Carries out a seek that has waited, unless playing has been begun elsewhere since.
  private func goOn() {
    let generation = player.playlist.queue.snapshot.generation
    let (position, lengths) = semaphore.withLock {
      if waiting?.generation != generation { waiting = nil }
      return (waiting?.position, known)
    }
    guard let position, go(to: position, by: lengths) != nil else { return }
    semaphore.withLock { waiting = nil }
  }

  // MARK: Learning

  private func follow(_ items: PlaylistItems) {
    tell(
      semaphore.withLock {
        known.replace(with: items)
        return known
      })
    read()
  }

  private func learn(
    _ duration: RationalTime?, of item: PlaylistItem, chapters: [Chapter] = [], title: String? = nil
  ) {
    let new: PlaylistLengths? = semaphore.withLock {
      known.learn(duration, of: item.id, chapters: chapters, title: title) ? known : nil
    }
    if let new { tell(new) }
  }

  private func tell(_ new: PlaylistLengths) {
    source.send(new)
    goOn()
  }

  // MARK: Reading

  /// Has a thread read what there is to be read, where none does.
  private func read() {
    let isToBegin = semaphore.withLock {
      guard !isReading, known.firstUnread() != nil else { return false }
      isReading = true
      return true
    }
    guard isToBegin else { return }
    NamedThread.start("attacca-length", stackSize: 1 << 20) { [weak self] in
      // Nobody else need hold it while a file is read.
      while let (item, work) = self?.next() {
        let headers = Result { try Self.read(item, work) }
        self?.take(headers, of: item)
      }
    }
  }

  /// The item that is to be read next; nil at the end of the thread.
  private func next() -> (PlaylistItem, LoadingWork)? {
    let current = player.currentItemIndex ?? 0
    return semaphore.withLock {
      // What lies between the two has been read.
      let last = lastRead.flatMap { known.items.index(of: $0) } ?? 0
      guard let item = known.firstUnread(from: max(current, last)) else {
        (isReading, work, lastRead) = (false, nil, nil)
        return nil
      }
      let work = LoadingWork()
      (self.work, lastRead) = (work, item.id)
      return (item, work)
    }
  }

  private static func read(_ item: PlaylistItem, _ work: LoadingWork) throws -> AssetHeaders {
    let headers = try AssetHeaders(of: item, for: work)
    while headers.search?.advance() == true { try work.check() }
    return headers
  }

  private func take(_ result: Result<AssetHeaders, any Error>, of item: PlaylistItem) {
    switch result {
    case .success(let headers):
      learn(
        headers.duration.map { RationalTime($0) }, of: item, chapters: headers.chapters,
        title: headers.tags.title)
    case .failure: learn(nil, of: item)
    }
  }
}
