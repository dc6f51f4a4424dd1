// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Dispatch
public import MediaTime
public import Rendering
import SampleBuffers
import SoundFiles

/// Turns a list of items into timed sample buffers for one renderer.
///
/// All playback logic runs on one serial queue and never blocks; files are opened and read on a
/// decoder thread beside it. All members are thread-safe and return at once; what is followed is
/// the latest of what they ask for. New audio is prepared, at least a quarter of a second of it,
/// before anything audible is touched, and then spliced in.
///
/// Media time zero is offset zero of the first item given to the last `restartQueue`. Each later
/// item starts where its predecessor's frames really ended, as an exact fraction.
///
/// The corresponding class is `SampleBufferSerializer` of Apple's sample "Playing Custom Audio with
/// Your Own Player".
public final class SampleBufferSerializer: @unchecked Sendable {
  // @unchecked: everything mutable is touched only on `queue`, except `nowPlaying`, which has a
  // lock of its own.
  let queue = DispatchQueue(label: "attacca.serialization", qos: .userInitiated)
  let renderer: AudioRenderer
  let synchronizer: RenderSynchronizer
  let nowPlaying = NowPlaying()
  let decoders: Decoders
  let limits: WaitingLimits
  /// Queue of what is to be played.
  let shared: SharedQueue
  var state = SerializerState()
  var transport = SerializerTransport()
  var pace: DecodePace
  var waits = SerializerWaits()
  var lookAhead = LookAhead()
  var deadlines = HeardDeadlines()
  var sleeping = SerializerSleep()

  /// The crossfade over what the user asked for: seeks and skips.
  let fade: Fade

  /// A serializer for `renderer`, which is added to `synchronizer`.
  public convenience init(
    renderer: AudioRenderer, synchronizer: RenderSynchronizer, fade: Fade = .standard
  ) {
    self.init(
      renderer: renderer, synchronizer: synchronizer, fade: fade, decoder: DecoderWatchdog(),
      shared: SharedQueue())
  }

  init(
    renderer: AudioRenderer, synchronizer: RenderSynchronizer, fade: Fade, decoder: DecoderWatchdog,
    shared: SharedQueue
  ) {
    (self.renderer, self.synchronizer, self.fade) = (renderer, synchronizer, fade)
    decoders = Decoders(decoder)
    limits = WaitingLimits(opening: decoder.limit)
    self.shared = shared
    pace = DecodePace(
      targetLength: renderer.targetLength, rate: renderer.format.sampleRate)
    synchronizer.fade = fade
    state.failure = renderer.attachPlayer(
      observer: { [weak self] event in
        guard let self else { return }
        queue.async { self.rendererDid(event) }
      },
      refill: { [weak self] in
        guard let self else { return }
        queue.async { self.refill() }
      },
      wentOn: { [weak self] in
        guard let self else { return }
        queue.async { self.wentOn() }
      })
    // From then on it may go backwards, even if it is asked to before the renderer is there.
    synchronizer.permitReverse()
    synchronizer.addRenderer(renderer)
    synchronizer.observeRate { [weak self] in
      guard let self else { return }
      queue.async { self.rateDidChange() }
    }
    decoders.attach(self)
    shared.attach(
      hearing: { [weak self] in self?.hearing?.0 }, changed: { [weak self] in self?.tell() })
  }

  deinit {
    decoders.end()
    shared.abandonWaiters()
  }

  /// True while there is a state that has not been followed yet; any thread.
  var hasToFollow: Bool { shared.hasToFollow }

  /// Has the latest state followed soon, once however often it is told.
  private func tell() {
    guard shared.announce() else { return }
    queue.async {
      self.shared.takeUp()
      self.follow()
    }
  }

  /// Stops debug builds where the caller is not on the serialization queue.
  func assertOnQueue() { assert(isOnQueue) }

  private var isOnQueue: Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    return true
  }

  // MARK: Queue

  /// Plays `items` from `index` on, beginning at `offset` into that item; the rate stays what it
  /// is.
  ///
  /// An offset past the item's end is its end, a negative one its beginning.
  ///
  /// - Precondition: `index` is in 0...count, the offset neither invalid nor indefinite.
  public func restartQueue(
    with items: PlaylistItems, from index: Int = 0, atOffset offset: MediaTime = .zero
  ) {
    require(
      index >= 0 && index <= items.count,
      "a restart from \(index); 0...\(items.count) are permitted")
    guard let start = Self.offset(offset) else {
      trap("a restart at an offset of \(offset); numbers and infinities are permitted")
    }
    shared.edit { state, _ in
      state.restart(with: items.tree, at: index, offset: start)
      return []
    }
  }

  /// Goes on with `items` from `index` on: what is heard now goes on if it is the first of them, and
  /// everything after it is as the list says.
  public func continueQueue(with items: PlaylistItems, from index: Int = 0) {
    require(
      index >= 0 && index <= items.count,
      "a continuation from \(index); 0...\(items.count) are permitted")
    shared.edit { state, _ in
      state.proceed(with: items.tree, at: index)
      return []
    }
  }

  /// Ends playing: the rate is 0, and nothing is current.
  public func stopQueue() {
    shared.edit { state, _ in
      state.stop()
      return []
    }
  }

  /// An offset within an item: not negative, and not beyond any item there could be; nil where
  /// `time` is invalid or indefinite.
  static func offset(_ time: MediaTime) -> RationalTime? {
    distance(time).map { max(.zero, $0) }
  }

  /// A way within an item, on or back, not beyond any item there could be; nil where `time` is
  /// invalid or indefinite.
  static func distance(_ time: MediaTime) -> RationalTime? {
    if time.isPositiveInfinity { return PlayedRange.end }
    if time.isNegativeInfinity { return .zero - PlayedRange.end }
    guard time.isNumeric else { return nil }
    return max(.zero - PlayedRange.end, min(RationalTime(time), PlayedRange.end))
  }

  /// Holds the playhead; what is heard goes out within the fade.
  public func pauseQueue() {
    shared.edit { state, _ in
      state.pause()
      return []
    }
  }

  /// Goes on from where it was held; nothing happens where nothing is current.
  public func resumeQueue() {
    shared.edit { state, _ in
      if state.current != nil { state.play() }
      return []
    }
  }

  /// The overlap of an item with the one that follows it; nil for not at all, the default.
  ///
  /// `SampleBufferPlayer.crossfade` says more.
  public var crossfade: ItemCrossfade? {
    get { shared.snapshot.crossfade }
    set {
      shared.edit { state, _ in
        state.crossfade = newValue
        return []
      }
    }
  }

  /// Silence between an item and the one that follows it; zero, the default, for none.
  ///
  /// `SampleBufferPlayer.gap` says more.
  ///
  /// - Precondition: it is numeric and not negative.
  public var gap: MediaTime {
    get { MediaTime(shared.snapshot.gap) }
    set {
      PlaylistItem.check(gap: newValue)
      let gap = RationalTime(newValue)
      shared.edit { state, _ in
        state.gap = gap
        return []
      }
    }
  }

  // MARK: Amounts

  /// About so much is decoded at a time.
  var step: RationalTime { pace.step(at: renderer.rate) }

  /// At least so much is prepared before a splice: a quarter of a second, as it will be heard.
  var prepared: RationalTime {
    let reach = renderer.effectReach()
    return heardFor(
      0.25 + Double(reach.latency + reach.history) / Double(renderer.format.sampleRate))
  }

  /// The longest time for which a place that is being heard is prepared: what takes longer is not.
  var mostPrepared: RationalTime { heardFor(2) + prepared }

  private func heardFor(_ seconds: Double) -> RationalTime {
    RationalTime(frames: Int64(seconds * max(renderer.rate, 1 / 4) * 1e6), rate: 1_000_000)
  }

  /// Nanoseconds in which what plays is not decoded further: once a jump is asked for, and once it is
  /// spliced in.
  ///
  /// Then it is on its way to the server, which needs a core for that: on a machine of two, one in ten
  /// took 1.2 ms to get there beside the decoder, and came a block late; alone it takes 0.2 ms. Of what
  /// has been prepared it is a sixtieth.
  static let rest: UInt64 = 4_000_000

  // MARK: State

  /// The item that is heard, with its place on the timeline; nil when stopped.
  public var currentSpan: ItemSpan? { nowPlaying.span }

  /// Place that is heard now, by the clock; any thread.
  ///
  /// Its item, and its time on the timeline.
  var hearing: (HeardPosition, ItemSpan, RationalTime)? {
    let (time, traversal) = synchronizer.heard()
    return nowPlaying.hearing(
      at: time, traversal: traversal, rate: renderer.timelineRate)
  }

  /// Events from now on; each caller has a sequence of its own.
  public var events: EventSequence<PlaybackEvent> { nowPlaying.events.subscribe() }

  func send(_ event: PlaybackEvent) { nowPlaying.events.send(event) }

  /// On the queue.
  func setRate(_ rate: Double) {
    assertOnQueue()
    if rate != 0 { endSleepFade() }
    if synchronizer.rate != rate { synchronizer.rate = rate }
    tellRate(rate)
    fadeToSleep()
    updateWait()
    if rate != 0 { watchForWait() }
  }

  private func tellRate(_ rate: Double) {
    guard transport.tell(rate) else { return }
    if rate == 0 {
      settleFirstFrame()
      tellSkipped()
    }
    send(.rateDidChange(rate))
  }

  /// The synchronizer's rate was set, by this object or by someone else, who then wishes to play or
  /// to pause.
  private func rateDidChange() {
    let rate = synchronizer.rate
    guard rate != transport.toldRate else { return }
    let request = transport.applied.requestNumber
    let turns = shared.update { state in
      let old = state.isReversed
      if rate == 0 || state.current != nil {
        // A wish that has not been carried out is a later one.
        state.transport.follow(rate, afterRequest: request)
      }
      return state.isReversed != old
    }
    tellRate(rate)
    fadeToSleep()
    if turns { follow() }
  }
}
