// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Dispatch
public import MediaTime
public import PulseAudio
import PulseDevice
public import Rendering

/// Plays a playlist without gaps: what an application holds.
///
/// All members are thread-safe and return at once. Operations, those of `playlist` included, take
/// effect in the order of their serial numbers; what is heard follows the latest state.
/// The corresponding AVFoundation class is `AVQueuePlayer`.
public final class SampleBufferPlayer: @unchecked Sendable {
  // @unchecked: `progress` and `interval` are touched only between wait and signal of `semaphore`;
  // the rest is constant, and thread-safe itself.

  /// The list that is played; edit it at any time.
  public let playlist: Playlist
  /// The clock.
  public let synchronizer: RenderSynchronizer
  /// The renderer to which the sound goes.
  public let renderer: AudioRenderer
  let serializer: SampleBufferSerializer
  private let semaphore = DispatchSemaphore(value: 1)
  private var progress: TimeObservation?
  private var interval: MediaTime?
  private var shared: SharedQueue { playlist.queue }

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
    self.init(renderer: renderer, fade: fade, decoder: DecoderWatchdog())
  }

  init(renderer: AudioRenderer, fade: Fade, decoder: DecoderWatchdog) {
    self.renderer = renderer
    playlist = Playlist()
    synchronizer = RenderSynchronizer()
    serializer = SampleBufferSerializer(
      renderer: renderer, synchronizer: synchronizer, fade: fade, decoder: decoder,
      shared: playlist.queue)
  }

  // MARK: Playing

  /// Plays on; where nothing is current, from the first item, or from what follows the last one that
  /// was heard.
  ///
  /// A renderer that has failed plays nothing: `PlaybackEvent.failed` is sent again, and nothing is
  /// current. Another player with another renderer can take the items of this one's `playlist`.
  @discardableResult
  public func play() -> Edit { edit { state, _ in state.play() } }

  /// Holds the playhead where it is.
  @discardableResult
  public func pause() -> Edit { edit { state, _ in state.pause() } }

  /// Plays if paused or stopped, pauses if playing.
  @discardableResult
  public func togglePlayPause() -> Edit { edit { state, _ in state.togglePlaying() } }

  /// Ends playing; nothing is current.
  @discardableResult
  public func stop() -> Edit { edit { state, _ in state.stop() } }

  private func edit(_ body: (inout QueueState, HeardPosition?) -> Void) -> Edit {
    shared.edit { state, hearing in
      let (generation, request) = (state.generation, state.transport.requestNumber)
      body(&state, hearing)
      let isStarted =
        state.generation != generation || state.transport.requestNumber != request
      return isStarted ? state.current.map { [$0.id] } ?? [] : []
    }
  }

  // MARK: State

  /// The rate at which it plays, 1 being the natural speed; 0 while paused or stopped, negative backwards.
  ///
  /// Setting it plays, as `play()` does, or pauses. Another sign turns round where playing is:
  /// backwards each item is heard from its end to its beginning, then the one before it, without a
  /// gap. A file that does not tell its length is left out there, as one that cannot be read. What becomes of the pitch is
  /// `renderer.audioTimePitchAlgorithm`'s. The corresponding property is `AVPlayer.rate`.
  ///
  /// Beyond `RenderSynchronizer.rates` it is the nearest of them.
  ///
  /// - Precondition: a number.
  public var rate: Double {
    get { synchronizer.rate }
    set { setRate(newValue) }
  }

  /// Plays at `rate`, or pauses where that is 0.
  ///
  /// Beyond `RenderSynchronizer.rates` it is the nearest of them.
  ///
  /// - Precondition: a number.
  @discardableResult
  public func setRate(_ rate: Double) -> Edit {
    let rate = RenderSynchronizer.permitted(rate)
    return edit { state, _ in
      if rate == 0 { state.pause() } else { state.play(rate: rate) }
    }
  }

  /// True where it plays, or is to: neither paused nor stopped, by what was asked for last.
  public var isPlaying: Bool {
    let state = shared.snapshot
    return state.transport.isPlaying && state.current != nil
  }

  /// The rate at which `play()` has it play; negative backwards, from stopped beginning with the last item.
  ///
  /// The corresponding property is `AVPlayer.defaultRate`.
  ///
  /// Beyond `RenderSynchronizer.rates` it is the nearest of them.
  ///
  /// - Precondition: a number, and not 0.
  public var defaultRate: Double {
    get { shared.snapshot.transport.defaultRate }
    set {
      let rate = RenderSynchronizer.permitted(newValue)
      require(
        rate != 0,
        "a default rate of 0; \(RenderSynchronizer.rates) either way are permitted")
      shared.update { $0.transport.defaultRate = rate }
    }
  }

  /// The item that is heard now, with its place on the timeline; nil when stopped.
  public var currentSpan: ItemSpan? { serializer.currentSpan }

  /// The item that is heard now; nil when stopped.
  public var currentItem: PlaylistItem? { currentSpan?.item }

  /// Index of the current item in the playlist; nil when stopped, or when it has been removed.
  public var currentItemIndex: Int? { currentItem.flatMap { playlist.index(of: $0.id) } }

  /// Offset in the current item of what is heard now; zero when stopped, negative in the silence in front of an item
  /// (`gap`).
  public var currentTime: MediaTime {
    guard let current = currentSpan, let (hearing, heard, _) = serializer.hearing else {
      return .zero
    }
    // The next one is heard, and becomes current in a moment: until then this one is at its end.
    let isJoint =
      heard.begin == current.end && heard.range.isReversed == current.range.isReversed
      && heard.range.occurrence != current.range.occurrence
    return MediaTime(isJoint ? current.offset(at: heard.begin) : hearing.offset)
  }

  /// The current item's exact length; nil when stopped, or when it is not known, as of a long MP3 file
  /// without a count: `PlaybackEvent.durationDidChange` follows as soon as it is.
  public var duration: MediaTime? { currentSpan?.duration.map { MediaTime($0) } }

  /// The file that playing waits for; nil where it waits for none.
  public var waiting: PlaybackWait? { serializer.waiting }

  /// The time for which a file is waited for that neither opens nor reads on: 30 s by default.
  ///
  /// After it the item has failed, and the next one plays. A change is for what is opened or read from then on.
  ///
  /// - Precondition: it is numeric and positive.
  public var waitingLimit: MediaTime {
    get { serializer.waitingLimit }
    set { serializer.waitingLimit = newValue }
  }

  /// State of the player: playing, paused, or waiting for an item to be opened or read.
  ///
  /// `PlaybackEvent.waitingBegan`, `waitingEnded` and `rateDidChange` tell of its changes. An interruption does not
  /// change it: the rate is 0 meanwhile. The corresponding property is `AVPlayer.timeControlStatus`.
  public var timeControlStatus: TimeControlStatus {
    guard isPlaying else { return .paused }
    return waiting.map { .waiting($0) } ?? .playing
  }

  /// The amount of content that is to be there before playing goes on after a wait; zero by default.
  ///
  /// After a wait, the playhead holds until so much lies ahead of it, or the item that was waited for has ended
  /// or failed; `PlaybackEvent.waitingEnded` comes when it goes on. With zero it goes on as soon as a device can be
  /// kept going, after a quarter of a second of content; frames that are pulled go on at once. What is heard first
  /// fades in, as after an underrun. Longer than a minute is a minute, and takes its memory: 23 MB of stereo at 48 kHz.
  ///
  /// A change is for what is waited for from then on. The corresponding property is
  /// `AVPlayerItem.preferredForwardBufferDuration`.
  ///
  /// - Precondition: it is numeric and not negative.
  public var prerollAfterWaiting: MediaTime {
    get { serializer.prerollAfterWaiting }
    set { serializer.prerollAfterWaiting = newValue }
  }

  // MARK: Events

  /// Events from now on, in order; each caller has a sequence of its own.
  public var events: EventSequence<PlaybackEvent> { serializer.events }

  /// The interval at which `PlaybackEvent.progress` is sent while playing; nil for never, which wakes no one.
  public var progressInterval: MediaTime? {
    get { semaphore.withLock { interval } }
    set {
      let observation = newValue.map { interval in
        synchronizer.addPeriodicTimeObserver(
          forInterval: interval, queue: serializer.queue
        ) { [weak self] _ in
          guard let self, currentSpan != nil else { return }
          serializer.send(.progress(offset: currentTime))
        }
      }
      let old = semaphore.withLock {
        defer { (interval, progress) = (newValue, observation) }
        return progress
      }
      old?.cancel()
    }
  }
}
