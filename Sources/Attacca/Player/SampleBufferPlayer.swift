// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import MediaTime
public import PulseAudio

/// Plays a playlist without gaps: what an application holds.
///
/// All members are thread-safe and return at once. Edits of `playlist` are followed while it plays.
/// The corresponding AVFoundation class is `AVQueuePlayer`.
public final class SampleBufferPlayer: @unchecked Sendable {
  // @unchecked: what is mutable is touched only between wait and signal of
  // `semaphore`.

  /// What is played; edit it at any time.
  public let playlist: Playlist
  /// The clock.
  public let synchronizer: RenderSynchronizer
  /// Where the sound goes.
  public let renderer: AudioRenderer
  private let serializer: SampleBufferSerializer
  private let semaphore = DispatchSemaphore(value: 1)
  /// The item that was asked for last and may not be heard yet.
  private var wanted: PlaylistItem.ID?
  /// The items as they were after the last edit or start.
  private var known: PlaylistItems?
  private var progress: TimeObservation?
  private var interval: MediaTime?

  /// Within so much of an item's start, `previous()` goes to the item before.
  private static let restartWithin = MediaTime(value: 3, timescale: 1)

  /// A player on the user's default sink.
  ///
  /// - Throws: where there is no sound server.
  public convenience init() throws(PulseError) {
    self.init(renderer: try PulseAudioRenderer())
  }

  /// A player through `renderer`, which belongs to it from now on.
  ///
  /// `fade` is the crossfade of seeks and skips, and the fades of pause and resume.
  public convenience init(renderer: AudioRenderer, fade: Fade = .standard) {
    self.init(renderer: renderer, fade: fade, decoding: Decoding())
  }

  init(renderer: AudioRenderer, fade: Fade, decoding: Decoding) {
    self.renderer = renderer
    synchronizer = RenderSynchronizer()
    serializer = SampleBufferSerializer(
      renderer: renderer, synchronizer: synchronizer, fade: fade, decoding: decoding)
    let edited = EditForwarder()
    playlist = Playlist(changed: { edited.player?.playlistChanged() })
    edited.player = self
    serializer.eventSink = { [weak self] event in self?.note(event) }
  }

  /// Lets a playlist tell a player that is made after it.
  private final class EditForwarder: @unchecked Sendable {
    // @unchecked: set once, before the playlist is handed to anyone.
    weak var player: SampleBufferPlayer?
  }

  private func locked<R>(_ body: () -> R) -> R {
    semaphore.wait()
    defer { semaphore.signal() }
    return body()
  }

  // MARK: Playing

  /// Plays from the current item on, from the first one if nothing is current.
  public func play() {
    locked {
      if wanted == nil { restart(at: 0, offset: .zero) }
      if wanted != nil { serializer.resumeQueue() }
    }
  }

  /// Holds the playhead where it is.
  public func pause() { serializer.pauseQueue() }

  /// Plays if paused or stopped, pauses if playing.
  public func togglePlayPause() {
    if rate > 0 { pause() } else { play() }
  }

  /// Ends playing; nothing is current.
  public func stop() {
    locked {
      wanted = nil
      serializer.stopQueue()
    }
  }

  /// Goes to the next item, keeping the rate; after the last one it stops.
  public func next() {
    locked {
      guard let index = wantedIndex else { return }
      restart(at: index + 1, offset: .zero)
    }
  }

  /// Goes back to the start of the item, or, within its first 3 seconds, to the item before.
  public func previous() {
    let isNearStart = currentTime <= Self.restartWithin
    locked {
      guard let index = wantedIndex else { return }
      restart(at: isNearStart ? max(0, index - 1) : index, offset: .zero)
    }
  }

  /// Goes to `offset` in the current item, exact to the frame.
  public func seek(to offset: MediaTime) {
    locked {
      guard let index = wantedIndex else { return }
      restart(at: index, offset: offset)
    }
  }

  /// Goes `distance` on, or back, in the current item.
  public func seek(by distance: MediaTime) { seek(to: currentTime + distance) }

  /// Goes to `offset` in an item; from stopped it becomes paused there.
  ///
  /// - Throws: `PlaylistError` when it is not in the playlist.
  public func seek(
    to id: PlaylistItem.ID, offset: MediaTime = .zero
  ) throws(PlaylistError) {
    let isHere = locked {
      guard let index = playlist.index(of: id) else { return false }
      restart(at: index, offset: offset)
      return true
    }
    if !isHere { throw PlaylistError(id: id, call: "seek") }
  }

  private var wantedIndex: Int? { wanted.flatMap { playlist.index(of: $0) } }

  private func restart(at index: Int, offset: MediaTime) {
    let items = playlist.items
    guard index < items.count else {
      wanted = nil
      return serializer.stopQueue()
    }
    wanted = items[index].id
    known = items
    serializer.restartQueue(with: items, from: index, atOffset: offset)
  }

  // MARK: State

  /// 1 while playing, 0 while paused or stopped.
  public var rate: Double { synchronizer.rate }

  /// What is heard now, with its place on the timeline; nil when stopped.
  public var currentSpan: ItemSpan? { serializer.currentSpan }

  /// What is heard now; nil when stopped.
  public var currentItem: PlaylistItem? { currentSpan?.item }

  /// Where the current item is in the playlist; nil when stopped, or when it has been removed.
  public var currentItemIndex: Int? { currentItem.flatMap { playlist.index(of: $0.id) } }

  /// How far into the current item what is heard now is; zero when stopped.
  public var currentTime: MediaTime {
    guard let span = currentSpan else { return .zero }
    let time = synchronizer.currentTime() - MediaTime(span.start)
    return time < .zero ? .zero : time
  }

  /// The current item's exact length; nil when stopped, or when it is not known.
  public var duration: MediaTime? { currentSpan?.duration.map { MediaTime($0) } }

  // MARK: Events

  /// What happens, from now on and in order; each caller has a sequence of its own.
  public var events: EventSequence<PlaybackEvent> { serializer.events }

  /// How often `PlaybackEvent.progress` is sent while playing; nil for never, which wakes no one.
  public var progressInterval: MediaTime? {
    get { locked { interval } }
    set {
      let observation = newValue.map { interval in
        synchronizer.addPeriodicTimeObserver(
          forInterval: interval, queue: serializer.queue
        ) { [weak self] _ in
          guard let self, currentSpan != nil else { return }
          serializer.send(.progress(offset: currentTime))
        }
      }
      let old = locked {
        defer { (interval, progress) = (newValue, observation) }
        return progress
      }
      old?.cancel()
    }
  }

  /// On the serializer's queue.
  private func note(_ event: PlaybackEvent) {
    // What was asked for since is newer than what this tells.
    guard serializer.isUpToDate else { return }
    switch event {
    case .currentItemDidChange(let item?): locked { wanted = item.id }
    case .endOfQueue: locked { wanted = nil }
    default: break
    }
  }

  /// After an edit, on the thread that edited.
  private func playlistChanged() {
    locked {
      guard let wanted else { return }
      let items = playlist.items
      defer { known = items }
      if let index = items.index(of: wanted) {
        serializer.continueQueue(with: items, from: index)
      } else if let index = placeOfRemoved(wanted, in: items), index < items.count {
        self.wanted = items[index].id
        serializer.continueQueue(with: items, from: index)
      } else {
        self.wanted = nil
        serializer.stopQueue()
      }
    }
  }

  /// Where in `items` the place of an item is that has gone: behind the nearest one of those before
  /// it that is still there, or at the start if one of those behind it is; nil in another list.
  private func placeOfRemoved(_ id: PlaylistItem.ID, in items: PlaylistItems) -> Int? {
    guard let old = known?.index(of: id), let known else { return nil }
    for i in stride(from: old - 1, through: 0, by: -1) {
      if let index = items.index(of: known[i].id) { return index + 1 }
    }
    let isKept = (old + 1..<known.count).contains { items.index(of: known[$0].id) != nil }
    return isKept ? 0 : nil
  }
}
