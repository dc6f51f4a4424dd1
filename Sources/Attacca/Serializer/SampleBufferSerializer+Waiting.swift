// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import MediaTime
import Preconditions
import Rendering

// Files that are slow; what is not public is on the serialization queue.
extension SampleBufferSerializer {
  /// Nanoseconds that a file may take before playing is said to wait for it.
  static let unnoticed = 250_000_000

  /// The file that playing waits for; nil where it waits for none.
  public var waiting: PlaybackWait? { nowPlaying.wait }

  /// The time for which a file is waited for that neither opens nor reads on: 30 s by default.
  ///
  /// After it the item has failed, and the next one plays.
  ///
  /// A change is for what is opened or read from then on.
  ///
  /// - Precondition: it is numeric and positive.
  public var waitingLimit: MediaTime {
    get { MediaTime(value: Int64(limits.opening.nanoseconds), timescale: 1_000_000_000) }
    set {
      require(newValue.isNumeric && newValue > .zero, "a waiting limit of \(newValue)")
      // Longer than a year is for ever.
      limits.opening.nanoseconds = UInt64(min(newValue.seconds, 3e7) * 1e9)
    }
  }

  /// The amount of content that is to be there before playing goes on after a wait; zero by default.
  ///
  /// - Precondition: it is numeric and not negative.
  public var prerollAfterWaiting: MediaTime {
    get { MediaTime(value: Int64(limits.preroll.nanoseconds), timescale: 1_000_000_000) }
    set {
      require(
        newValue.isNumeric && newValue >= .zero,
        "a preroll of \(newValue); zero and longer numbers are permitted")
      limits.preroll.nanoseconds = UInt64(min(newValue.seconds, 60) * 1e9)
    }
  }

  /// Opens what follows the item that is being decoded, once that can be read.
  func openAhead() {
    guard let playing = state.playing, let item = playing.begun.last?.range.occurrence,
      playing.isOpen,
      lookAhead.occurrence != item
    else { return }
    lookAhead.occurrence = item
    decoders.ahead.prepare(playing.upcoming(OpeningAhead.count))
  }

  /// Looks soon whether playing waits for a file.
  func watchForWait() {
    assertOnQueue()
    guard !waits.isWatching else { return }
    waits.isWatching = true
    queue.asyncAfter(deadline: .now() + .nanoseconds(Self.unnoticed)) { [weak self] in
      guard let self else { return }
      waits.isWatching = false
      tell(presentWait)
      // What has been enqueued may last a little longer, and another file may have been begun.
      let isStarting = state.isStarting && decoders.preparing.isBusy
      let isLate = waits.isHungry && decoders.playing.isBusy && synchronizer.rate != 0
      if waiting == nil, isStarting || isLate { watchForWait() }
    }
  }

  /// Tells that playing does not wait for the same any more; for something else only if that lasts.
  func updateWait() {
    assertOnQueue()
    guard let old = nowPlaying.wait, case let present = presentWait, present != old else { return }
    tell(nil)
    if present != nil { watchForWait() }
  }

  private func tell(_ wait: PlaybackWait?) {
    assertOnQueue()
    let old = nowPlaying.wait
    guard old != wait else { return }
    nowPlaying.wait = wait
    if let old { send(.waitingEnded(old)) }
    guard let wait else { return }
    send(.waitingBegan(wait))
    let wanted = RationalTime(prerollAfterWaiting)
    if state.isStarting {
      state.expect(wanted)
    } else if renderer.hold(for: wanted) {
      waits.held = wait
    }
    openMeanwhile(wait)
  }

  /// Opens what follows a source of the caller's that waits: it is on no disk that is asleep.
  private func openMeanwhile(_ wait: PlaybackWait) {
    assertOnQueue()
    guard let source = wait.item.source, !(source is any SoundFileOpening),
      let content = state.isStarting ? state.preparedSplice?.content : state.playing
    else { return }
    decoders.ahead.prepare(content.upcoming(OpeningAhead.count))
  }

  /// The renderer goes on, or has other content.
  func wentOn() {
    assertOnQueue()
    waits.held = nil
    updateWait()
  }

  /// No more frames come of an item, for which playing may be held.
  func endHold(of occurrence: Occurrence) {
    assertOnQueue()
    if waits.held?.item.id == occurrence.id { renderer.endHold() }
  }

  private var presentWait: PlaybackWait? {
    if state.isStarting, let splice = state.preparedSplice,
      decoders.preparing.isSlow(by: Self.unnoticed)
    {
      return wait(of: splice.content, for: decoders.preparing)
    }
    if synchronizer.rate != 0, let held = waits.held { return held }
    guard synchronizer.rate != 0, !state.isSplicing, let playing = state.playing,
      playing.pieces.isEmpty, renderer.isDry
    else { return nil }
    if decoders.playing.isSlow(by: Self.unnoticed) {
      return wait(of: playing, for: decoders.playing)
    }
    guard decoders.preparing.isSlow(by: Self.unnoticed), let splice = state.preparedSplice else {
      return nil
    }
    return wait(of: splice.content, for: decoders.preparing)
  }

  /// Returns what a decoder is slow at for `content`, in the source's words where that says that it waits; between
  /// opening a file and reading it, it looks for a place.
  private func wait(of content: DecodeAhead, for decoder: DecoderWatchdog) -> PlaybackWait? {
    guard let wait = content.wait else { return nil }
    if let said = decoder.sourceWait {
      return PlaybackWait(item: wait.item, reason: .source, detail: said.reason)
    }
    return decoder.hasOpenedFile ? PlaybackWait(item: wait.item, reason: .reading) : wait
  }
}
