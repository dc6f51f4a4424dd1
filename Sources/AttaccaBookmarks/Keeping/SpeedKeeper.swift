// SPDX-License-Identifier: Apache-2.0

public import Attacca
import Dispatch
public import SoundFiles

/// Has each book, or each item, be played at the speed at which it was played last, and remembers that.
///
/// Once an item of another book is heard, a player goes on at that book's speed; where none is remembered, at the one
/// that the player had when this was made. The direction stays as it is. All of it takes place on a queue of its own.
public final class SpeedKeeper: @unchecked Sendable {
  // @unchecked: everything mutable is touched only on `queue`.

  /// What has a speed of its own.
  public enum Unit: Hashable, Sendable {
    /// Each file.
    case item
    /// Each folder of files.
    case folder
    /// All that the player plays: the folder or the list at a path.
    case book(BytePath)
  }

  private let player: SampleBufferPlayer
  private let store: BookmarkStore
  private let unit: Unit
  private let queue = DispatchQueue(label: "attacca.speeds", qos: .utility)
  private var events: EventObservation<PlaybackEvent>?
  /// The speed of what none is remembered of.
  private let usual: Double
  /// The book that is heard, and the speed that is remembered of it.
  private var current: (path: BytePath, rate: Double)?
  /// The speed that was asked for, until something is heard: it is remembered.
  private var asked: Double?
  private var failures: FailureNotice
  private var isClosed = false

  /// Keeps the speeds of what `player` plays from now on in `store`.
  ///
  /// - Parameters:
  ///   - player: The player whose speed it sets.
  ///   - store: The store of what is remembered.
  ///   - unit: What has a speed of its own.
  ///   - asked: The speed at which the first item is to be played, whatever was remembered.
  ///   - failed: Is told what cannot be read or written, once until something can, on a queue of the keeper's.
  public init(
    player: SampleBufferPlayer, store: BookmarkStore, per unit: Unit = .folder,
    asked: Double? = nil,
    failed: @escaping @Sendable (BookmarkError) -> Void = { _ in }
  ) {
    (self.player, self.store, self.unit) = (player, store, unit)
    failures = FailureNotice(failed)
    (self.asked, usual) = (asked.map { abs($0) }, abs(player.defaultRate))
    let events = player.events
    queue.sync {
      self.events = events.observe(on: queue) { [weak self] in self?.note($0) }
      if let item = player.currentItem { hear(item) }
    }
  }

  deinit { events?.cancel() }

  /// Remembers the present speed, and nothing more; blocks until that is done.
  public func close() {
    queue.sync {
      guard !isClosed else { return }
      remember()
      isClosed = true
      events?.cancel()
    }
  }

  private func note(_ event: PlaybackEvent) {
    switch event {
    case .currentItemDidChange(let item?): hear(item)
    case .rateDidChange: remember()
    default: break
    }
  }

  private func path(of item: PlaylistItem) -> BytePath {
    switch unit {
    case .item: item.bytePath
    case .folder:
      if !item.isFile {
        item.bytePath
      } else if item.bytePath.folder.bytes.isEmpty {
        "."
      } else {
        item.bytePath.folder
      }
    case .book(let path): path
    }
  }

  private func hear(_ item: PlaylistItem) {
    let path = path(of: item)
    guard !isClosed, path != current?.path else { return }
    remember()
    var known: Double?
    failures.attempt { () throws(BookmarkError) in
      let settings = try store.settings(ofBookAt: path)
      known = settings?.rate
    }
    let rate = asked.take() ?? known ?? usual
    // What is not remembered counts as the natural one.
    current = (path, known ?? 1)
    if abs(player.defaultRate) != rate {
      let directed = player.defaultRate < 0 ? -rate : rate
      player.defaultRate = directed
      if player.rate != 0 { player.play() }
    }
    remember()
  }

  /// Writes the speed of what is heard, where it is another one.
  private func remember() {
    let rate = abs(player.defaultRate)
    guard !isClosed, let (path, known) = current, rate != known, rate > 0, rate.isFinite else {
      return
    }
    current = (path, rate)
    failures.attempt { () throws(BookmarkError) in
      let old = try store.settings(ofBookAt: path)
      try store.set(
        BookSettings(rate: rate, intro: old?.intro ?? .zero, outro: old?.outro ?? .zero),
        ofBookAt: path)
    }
  }
}
