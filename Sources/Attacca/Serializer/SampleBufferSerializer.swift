// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import MediaTime
import SampleBuffers
import SoundFiles
import Synchronization

/// Turns a list of items into timed sample buffers for one renderer.
///
/// All playback logic runs on one serial queue and never blocks; files are opened and read on a
/// decoder thread beside it. All members are thread-safe and return at once; what they ask for
/// happens in the order of the calls. New audio is prepared, at least a quarter of a second of it,
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
  let source = EventSource<PlaybackEvent>(coalescing: { $0.isSuperseded(by: $1) })
  let nowPlaying = NowPlaying()
  let decoding: Decoding
  /// Decodes what is being prepared.
  let preparing: Decoding

  /// What is being played.
  var feed: Feed?
  /// Whether the renderer waits for what is being decoded.
  var isHungry = false
  /// What is being prepared to take its place.
  var staging: Staging?
  /// What the renderer has been given to splice in, and has not answered for.
  var splicing: Staging?
  /// An edit that came while something was being spliced in.
  var postponedEdit: (items: PlaylistItems, index: Int)?
  /// The items on the timeline: what is heard first, what was opened last.
  var spans: [ItemSpan] = []
  /// The newest request that has been carried out here, and the newest one made.
  var handledRequest = 0
  private let requests = Atomic<Int>(0)
  /// The traversal of media time that the present timeline belongs to.
  var traversal = 0
  var hasFinishedEnqueuing = false
  /// The first item has not been heard yet.
  var isBeginning = false
  var boundary: TimeObservation?
  /// Called on the queue for every event, before it is sent.
  var eventSink: (@Sendable (PlaybackEvent) -> Void)?

  /// The crossfade over what the user asked for: seeks and skips.
  let fade: Fade
  /// About so much is decoded at a time.
  let step: RationalTime
  /// At least so much is prepared before a splice.
  static let prepared = RationalTime(frames: 1, rate: 4)

  /// A serializer for `renderer`, which is added to `synchronizer`.
  public convenience init(
    renderer: AudioRenderer, synchronizer: RenderSynchronizer, fade: Fade = .standard
  ) {
    self.init(renderer: renderer, synchronizer: synchronizer, fade: fade, decoding: Decoding())
  }

  init(
    renderer: AudioRenderer, synchronizer: RenderSynchronizer, fade: Fade, decoding: Decoding
  ) {
    (self.renderer, self.synchronizer, self.fade) = (renderer, synchronizer, fade)
    self.decoding = decoding
    preparing = decoding.another()
    let rate = renderer.format.sampleRate
    // Half of what the device holds a time, a second at most: three wakeups for each, this queue
    // twice and the decoder once. Two seconds would save one and a half a second, and cost 1.2 MB.
    let frames = min(renderer.output.targetLength / 2, Int64(rate))
    step = RationalTime(frames: max(frames, Int64(rate) / 50), rate: rate)
    synchronizer.fade = fade
    synchronizer.addRenderer(renderer)
    renderer.output.withLock {
      renderer.observer = { [weak self] event in
        guard let self else { return }
        queue.async { self.rendererDid(event) }
      }
    }
    decoding.attach(self)
    preparing.attach(self)
  }

  deinit {
    decoding.end()
    preparing.end()
  }

  // MARK: Queue

  /// Plays `items` from `index` on, beginning at `offset` into that item; the rate stays what it
  /// is.
  ///
  /// An offset past the item's end is its end, a negative one its beginning.
  public func restartQueue(
    with items: PlaylistItems, from index: Int = 0, atOffset offset: MediaTime = .zero
  ) {
    precondition(index >= 0 && index <= items.count, "restart from \(index) of \(items.count)")
    request { $0.restart(items, at: index, offset: Self.offset(offset)) }
  }

  /// Goes on with `items` from `index` on: what is heard now goes on if it is the first of them, and
  /// everything after it is as the list says.
  public func continueQueue(with items: PlaylistItems, from index: Int = 0) {
    precondition(index >= 0 && index <= items.count, "continue from \(index) of \(items.count)")
    queue.async { self.proceed(items, at: index) }
  }

  /// Ends playing: the rate is 0, and nothing is current.
  public func stopQueue() {
    request { $0.stop() }
  }

  /// Carries out what makes another item current, and counts it.
  private func request(_ body: @escaping @Sendable (SampleBufferSerializer) -> Void) {
    let number = requests.add(1, ordering: .relaxed).newValue
    queue.async {
      self.handledRequest = number
      body(self)
    }
  }

  /// Whether everything asked for so far has been carried out; on the queue.
  var isUpToDate: Bool { handledRequest == requests.load(ordering: .relaxed) }

  /// An offset within an item: not negative, and not beyond any item there could be.
  private static func offset(_ time: MediaTime) -> RationalTime {
    let furthest = MediaTime(value: 1 << 32, timescale: 1)
    if time.isPositiveInfinity { return RationalTime(furthest) }
    return time.isNumeric && time > .zero ? RationalTime(min(time, furthest)) : .zero
  }

  /// Holds the playhead; what is heard goes out within the fade.
  public func pauseQueue() {
    queue.async { self.setRate(0) }
  }

  /// Goes on from where it was held.
  public func resumeQueue() {
    queue.async { self.setRate(1) }
  }

  // MARK: State

  /// The item that is heard, with its place on the timeline; nil when stopped.
  public var currentSpan: ItemSpan? { nowPlaying.span }

  /// What happens, from now on; each caller has a sequence of its own.
  public var events: EventSequence<PlaybackEvent> { source.subscribe() }

  func send(_ event: PlaybackEvent) {
    eventSink?(event)
    source.send(event)
  }

  func setRate(_ rate: Double) {
    guard synchronizer.rate != rate else { return }
    synchronizer.rate = rate
    send(.rateDidChange(rate))
  }
}
