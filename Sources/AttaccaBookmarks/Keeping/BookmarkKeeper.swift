// SPDX-License-Identifier: Apache-2.0

public import Attacca
import Dispatch
public import MediaTime

/// Keeps a store at what a player plays, for as long as it lives or until it is closed.
///
/// The place of what is heard is written every 0.9 s of media time, at pauses and where items change: what the store says
/// after `kill -9` is at most that much before what was heard last, and never behind it; while a long list is written the
/// place waits. The list is written when it changes. Where nothing is heard, the place stays what it was, until the last
/// item has been heard to its end. All of it takes place on a queue of its own; what cannot be written is told, once
/// until something can.
public final class BookmarkKeeper: @unchecked Sendable {
  // @unchecked: everything mutable is touched only on `queue`.

  /// Media time between two writings of the place.
  public static let interval = MediaTime(value: 9, timescale: 10)

  private let player: SampleBufferPlayer
  private let store: BookmarkStore
  private let queue = DispatchQueue(label: "attacca.bookmarks", qos: .utility)
  private var events: EventObservation<PlaybackEvent>?
  private var changes: EventObservation<PlaylistDifference>?
  private var progress: TimeObservation?
  /// True where the list differs from what was written.
  private var isListDue = true
  private var failures: FailureNotice
  /// The bookmark that was made last, which an item that ends or is left still needs.
  private var last: (item: PlaylistItem, bookmark: Bookmark)?
  /// The place at which the player stands still, with the place and the wall time of what was heard there last; nil
  /// while it plays.
  private var standing: (item: PlaylistItem, at: MediaTime, position: MediaTime, heardAt: WallTime)?
  /// The item that was heard to its end last, which is not begun again before another place of it is heard.
  private var finished: PlaylistItem?
  /// True once anything has been heard: until then the end of the list is no end of listening.
  private var hasHeard = false
  private var isClosed = false

  /// Keeps `store` at what `player` plays from now on.
  ///
  /// `failed` is called on a queue of the keeper's.
  public init(
    player: SampleBufferPlayer, store: BookmarkStore,
    failed: @escaping @Sendable (BookmarkError) -> Void = { _ in }
  ) {
    (self.player, self.store, failures) = (player, store, FailureNotice(failed))
    let (events, changes) = (player.events, player.playlist.changes)
    queue.sync {
      self.events = events.observe(on: queue) { [weak self] in self?.note($0) }
      self.changes = changes.observe(on: queue) { [weak self] _ in self?.noteChange() }
      progress = player.synchronizer.addPeriodicTimeObserver(
        forInterval: Self.interval, queue: queue
      ) { [weak self] _ in self?.save() }
    }
    queue.async { [self] in save() }
  }

  deinit {
    events?.cancel()
    changes?.cancel()
    progress?.cancel()
  }

  /// Writes where the player is, and nothing more; blocks until that is done.
  public func close() {
    queue.sync {
      guard !isClosed else { return }
      save()
      isClosed = true
      events?.cancel()
      changes?.cancel()
      progress?.cancel()
    }
  }

  private func note(_ event: PlaybackEvent) {
    switch event {
    case .currentItemDidChange, .rateDidChange, .endOfQueue, .didFallAsleep: save()
    case .itemDidFinish(let item): finish(item)
    default: break
    }
  }

  private func noteChange() {
    isListDue = true
    // Of many edits in a row all that are on their way by then are written at once.
    queue.async { [weak self] in
      guard let self, isListDue else { return }
      save()
    }
  }

  // MARK: Writing

  private func save() {
    guard !isClosed else { return }
    let heard = heard()
    if let heard { last = heard }
    let orders = player.playlist.orders
    let isOver = heard == nil && hasHeard && player.isBehindAll
    let place = SavedQueue(
      items: orders.items, original: orders.original,
      currentIndex: heard.flatMap { orders.items.index(of: $0.item.id) },
      position: heard?.bookmark.position ?? .zero, rate: player.defaultRate,
      repeatMode: player.repeatMode, savedAt: heard?.bookmark.heardAt ?? .now)
    failures.attempt { () throws(BookmarkError) in
      if heard != nil || isOver {
        if isListDue { try store.save(place) }
        isListDue = false
        return try store.save(place: place, heard?.bookmark, of: heard?.item)
      }
      // Nothing is open yet, cannot be played, or was stopped: what was heard last stays so.
      guard isListDue else { return }
      try store.saveList(place, last: last?.item)
      isListDue = false
    }
  }

  /// Returns the item that is heard now, and its bookmark; nil where nothing is.
  private func heard() -> (item: PlaylistItem, bookmark: Bookmark)? {
    let isPlaying = player.rate != 0
    guard let (span, time) = player.heard else { return nil }
    if isPlaying { hasHeard = true }
    // The frame that is heard, of which a device of another rate may have heard a part.
    let (exact, rate) = (RationalTime(time), Int32(clamping: span.sampleRate))
    // In the silence in front of an item it is its beginning.
    let frame = max(0, exact.numerator * Int128(rate) / Int128(exact.denominator))
    var bookmark = Bookmark(
      path: span.item.bytePath, start: span.item.start,
      position: MediaTime(value: Int64(clamping: frame), timescale: rate),
      duration: span.duration.map { MediaTime(value: $0.frames(at: Int(rate)), timescale: rate) },
      rate: player.defaultRate, heardAt: .now, isFinished: false, title: span.tags.title)
    // That it was heard to its end is told before nothing is heard.
    if finished == span.item { bookmark.finish(at: player.renderer.format.sampleRate) }
    stand(at: &bookmark, of: span.item, isPlaying: isPlaying)
    return (span.item, bookmark)
  }

  /// Paused, what was heard last was heard then, however often it is written.
  private func stand(at bookmark: inout Bookmark, of item: PlaylistItem, isPlaying: Bool) {
    guard !isPlaying else { return standing = nil }
    if standing?.item != item || standing?.at != bookmark.position {
      var known = bookmark
      if let last {
        if last.item == item, last.bookmark.position == bookmark.position { known = last.bookmark }
      } else if let stored = restored(bookmark, of: item) {
        known = stored
      }
      standing = (item, bookmark.position, known.position, known.heardAt)
    }
    guard let standing else { return }
    (bookmark.position, bookmark.heardAt) = (standing.position, standing.heardAt)
  }

  /// The stored bookmark by which the player stands where it does, which may be a little before it.
  private func restored(_ bookmark: Bookmark, of item: PlaylistItem) -> Bookmark? {
    var stored: Bookmark?
    failures.attempt { () throws(BookmarkError) in stored = try store.bookmark(of: item) }
    guard let stored, !stored.isFinished,
      (stored.position - bookmark.position).absoluteValue <= SmartRewind.standard.most
    else { return nil }
    return stored
  }

  /// Notes that an item was heard to its end.
  private func finish(_ item: PlaylistItem) {
    guard !isClosed else { return }
    (hasHeard, finished) = (true, item)
    let known = last?.item == item ? last?.bookmark : nil
    failures.attempt { () throws(BookmarkError) in
      var bookmark =
        if let known {
          known
        } else if let stored = try store.bookmark(of: item) {
          stored
        } else {
          Bookmark(
            path: item.bytePath, start: item.start, position: .zero, duration: nil,
            rate: player.defaultRate, heardAt: .now, isFinished: true, title: item.tags?.title)
        }
      (bookmark.isFinished, bookmark.heardAt) = (true, .now)
      if player.defaultRate < 0 {
        bookmark.position = .zero
      } else if let duration = bookmark.duration {
        bookmark.position = duration
      }
      try store.set(bookmark, of: item)
    }
  }
}
