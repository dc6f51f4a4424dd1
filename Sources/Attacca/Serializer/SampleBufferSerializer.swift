// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Dispatch
public import MediaTime
import SampleBuffers
import SoundFiles
import Synchronization

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
  let source = EventSource<PlaybackEvent>(coalescing: { $0.absorb($1) })
  let nowPlaying = NowPlaying()
  /// Decodes what is being played.
  var decoder: DecoderWatchdog
  /// Decodes what is being prepared.
  var preparing: DecoderWatchdog
  /// Opens what follows; shared by the two.
  let ahead: OpeningAhead
  /// The item whose followers are open, or being opened.
  var aheadOf: Occurrence?
  /// The overlaps that what plays had decided on when it was looked last.
  var overlapCount = 0
  /// For files that neither open nor read on.
  let limit: WaitingLimit
  /// The search for the length of what is being decoded, and its file.
  var lengthSearch: (search: LengthSearch, path: BytePath)?
  /// Content that is to be there before playing goes on after a wait.
  let preroll = WaitingLimit(seconds: 0)
  /// The wait after which the renderer is held for that.
  var heldWait: PlaybackWait?
  /// Whether it will soon be looked whether playing waits.
  var isWatchingForWait = false
  /// What is to be played.
  let shared: SharedQueue
  /// Whether the queue has been told that there is something to follow.
  private let isTold = Atomic<Bool>(false)

  /// What is being played.
  var playing: DecodeAhead?
  /// Whether the renderer waits for what is being decoded.
  var isHungry = false
  /// What is being prepared to take its place.
  var preparedSplice: PreparedSplice?
  /// What the renderer has been given to splice in, and has not answered for.
  var spliceInFlight: PreparedSplice?
  /// The order changed while something was being spliced in.
  var mustFollow = false
  /// What is not heard yet was to be read again while something was being spliced in.
  var mustReadAgain = false
  /// The items on the timeline: what is heard first, what was opened last.
  var spans: [ItemSpan] = []
  /// The place of the item that was put on the timeline last.
  var lastPlace = 0
  /// The newest start that has been taken up, and the one that is on the timeline.
  var generation = 0
  var timelineGeneration = 0
  /// An item not heard yet, whose frames are out of reach.
  var unavoidableNext: Occurrence?
  /// Until then, in host time, what plays is not decoded further.
  var restEnd: UInt64 = 0
  /// The content of the renderer's line that `playing` continues.
  var lineGeneration = 0
  /// The rate that was told last.
  private var toldRate: Double = 0
  /// Where what the renderer has been given ends.
  var handedEnd = RationalTime.zero
  /// The newest wish to play or pause that has been carried out, and whether something was current.
  var appliedWish = (number: 0, hasCurrent: false)
  /// The traversal of media time that the present timeline belongs to.
  var traversal = 0
  var hasFinishedEnqueuing = false
  /// When the first item begins to be heard; nil once it is.
  var beginning: RationalTime?
  var boundary: TimeObservation?
  /// Due when the first frame of a start is heard that someone waits for.
  var firstFrame: TimeObservation?
  /// What keeps the sound from being heard.
  var interruptions: Set<Interruption> = []
  /// Playing goes on when they are over.
  var isInterrupted = false
  /// Why the renderer plays nothing any more.
  var failure: (any Error)?

  /// The crossfade over what the user asked for: seeks and skips.
  let fade: Fade
  /// About so much is decoded at a time, at the natural speed.
  private let stepFrames: (frames: Int64, rate: Int)

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
    self.decoder = decoder
    self.shared = shared
    preparing = decoder.another()
    (ahead, limit) = (decoder.ahead, decoder.limit)
    let rate = renderer.format.sampleRate
    // Half of what the device holds a time, a second at most: three wakeups for each, this queue
    // twice and the decoder once. Two seconds would save one and a half a second, and cost 1.2 MB.
    let frames = min(renderer.output.targetLength / 2, Int64(rate))
    stepFrames = (max(frames, Int64(rate) / 50), rate)
    synchronizer.fade = fade
    failure = renderer.output.withLock {
      renderer.observer = { [weak self] event in
        guard let self else { return }
        queue.async { self.rendererDid(event) }
      }
      let refill: @Sendable () -> Void = { [weak self] in
        guard let self else { return }
        queue.async { self.refill() }
      }
      renderer.discarded = refill
      renderer.paceChanged = refill
      renderer.wentOn = { [weak self] in
        guard let self else { return }
        queue.async { self.wentOn() }
      }
      return renderer.storedError
    }
    // From then on it may go backwards, even if it is asked to before the renderer is there.
    synchronizer.semaphore.withLock { synchronizer.isReversible = true }
    synchronizer.addRenderer(renderer)
    synchronizer.observeRate { [weak self] in
      guard let self else { return }
      queue.async { self.rateDidChange() }
    }
    decoder.attach(self)
    preparing.attach(self)
    shared.attach(
      hearing: { [weak self] in self?.hearing?.0 }, changed: { [weak self] in self?.tell() })
  }

  deinit {
    decoder.end()
    preparing.end()
    ahead.prepare([])
    shared.abandonWaiters()
  }

  /// Whether there is a state that has not been followed yet; any thread.
  var hasToFollow: Bool { isTold.load(ordering: .relaxed) }

  /// Has the latest state followed soon, once however often it is told.
  private func tell() {
    guard !isTold.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async {
      self.isTold.store(false, ordering: .sequentiallyConsistent)
      self.follow()
    }
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

  /// How an item overlaps with the one that follows it; nil for not at all, the default.
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

  // MARK: Amounts

  /// About so much is decoded at a time: 8 s at most, which are 3 MB, however fast they pass.
  var step: RationalTime {
    let pace = min(max(renderer.rate, 1 / 4), 8)
    return RationalTime(frames: Int64(Double(stepFrames.frames) * pace), rate: stepFrames.rate)
  }

  /// At least so much is prepared before a splice: a quarter of a second, as it will be heard.
  var prepared: RationalTime {
    let reach = renderer.effectReach()
    return heardFor(
      0.25 + Double(reach.latency + reach.history) / Double(renderer.format.sampleRate))
  }

  /// What takes longer to prepare than it is heard is not prepared for a place that is being heard.
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

  /// What the clock says is heard now; any thread.
  ///
  /// Its item, and its time on the timeline.
  var hearing: (HeardPosition, ItemSpan, RationalTime)? {
    let (time, traversal) = synchronizer.heard()
    return nowPlaying.hearing(
      at: time, traversal: traversal, rate: renderer.timelineRate)
  }

  /// What happens, from now on; each caller has a sequence of its own.
  public var events: EventSequence<PlaybackEvent> { source.subscribe() }

  func send(_ event: PlaybackEvent) { source.send(event) }

  /// On the queue.
  func setRate(_ rate: Double) {
    if synchronizer.rate != rate { synchronizer.rate = rate }
    tellRate(rate)
    updateWait()
    if rate != 0 { watchForWait() }
  }

  private func tellRate(_ rate: Double) {
    guard rate != toldRate else { return }
    toldRate = rate
    if rate == 0 { settleFirstFrame() }
    send(.rateDidChange(rate))
  }

  /// The synchronizer's rate was set, by this object or by someone else, who then wishes to play or
  /// to pause.
  private func rateDidChange() {
    let rate = synchronizer.rate
    guard rate != toldRate else { return }
    let turns = shared.update { state in
      let old = state.isReversed
      // A wish that has not been carried out is a later one.
      if rate == 0 || state.current != nil {
        state.transport.follow(rate, afterRequest: appliedWish.number)
      }
      return state.isReversed != old
    }
    tellRate(rate)
    if turns { follow() }
  }
}
