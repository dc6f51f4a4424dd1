// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import MediaTime
import Preconditions
public import SampleBuffers

/// Renders enqueued sample buffers: converts them to the device's format, places them frame by
/// frame on its stream, and rewrites what has not been heard when that changes.
///
/// Made as a `PulseAudioRenderer`, an `OfflineRenderer` or a `NullRenderer`. All members are
/// thread-safe; those that enqueue convert on the caller's thread and take milliseconds for a
/// second of audio, the others take microseconds. The corresponding AVFoundation class is
/// `AVSampleBufferAudioRenderer`.
open class AudioRenderer: @unchecked Sendable {
  // @unchecked: what is mutable below is touched only with the output's lock held.
  let output: any AudioOutput
  let quality: RateConverter.Quality
  /// The render map as readers on any thread see it.
  let publishedMap = PublishedMap()

  // Final: where tests could override it, each reading of it would be a coroutine, which allocates.
  final var line: RenderLine
  var conversion: ConversionChain
  final var wanted = WantedSound()
  final var starts: RendererStarts
  final var intake = ContentIntake()
  final var given = GivenFrames() {
    didSet { if given.hasPadded != oldValue.hasPadded { publishMap() } }
  }
  final var commands = WaitingCommands()
  final var health = RendererHealth()
  final var producers = BufferProducers()
  final var callbacks = RendererCallbacks()
  let conversions = ConversionQueue()
  /// Recorder and readers of what is heard; nil while `tap()` has no reader.
  var attachedTap: AudioTap?

  /// Milliseconds of silence behind the last frame: PipeWire drops an unfinished last quantum (248 frames were
  /// lost), and the device's time must not stop before the last frame is heard.
  static let tailMilliseconds = 500

  /// A renderer on `output`.
  package init(output: any AudioOutput, quality: RateConverter.Quality) {
    (self.output, self.quality) = (output, quality)
    let format = output.format
    starts = RendererStarts(fade: Fade.standard.frames(at: format.sampleRate))
    line = RenderLine(
      channelCount: format.channelCount, capacity: Self.capacity(of: output, format, .natural),
      rate: format.sampleRate)
    conversion = ConversionChain(output: format, quality: quality, pace: .natural)
    conversions.activate { [weak self] in self?.convertPending() }
    publishMap()
    output.withLock { output.attach(self) }
  }

  /// Frames that a line holds beyond its lead: a decoder's buffer of a second, what a conversion withholds, and
  /// what was heard since the device told how far it is, 0.6 s at most as a rule.
  static func room(at rate: Int) -> Int { 2 * rate }

  /// Twice the device's buffer is the lead.
  static func capacity(of output: any AudioOutput, _ format: AudioFormat, _ pace: Pace) -> Int {
    // What is converted in one piece fits in any case, or it would wait for ever.
    let more = max(
      room(at: format.sampleRate),
      ConversionChain.largestPiece(at: format.sampleRate, pace: pace))
    return Int(2 * output.traits.targetLength) + more
  }

  deinit {
    for command in commands.abandon() { refuse(command) }
    // The last reference may go in one of the output's own callbacks, which closing would wait for.
    // Not on a global queue: from its first use on libdispatch would wake once a second.
    DispatchQueue(label: "attacca.close").async { [output] in output.close() }
  }

  /// The device's format: what enqueued buffers are converted to.
  ///
  /// May become another, which `RendererEvent.outputConfigurationDidChange` tells.
  public var format: AudioFormat { output.format }

  /// The state of the renderer; `.failed` is final, and media time stands still from then on.
  public var status: RendererStatus { output.withLock { health.status } }

  /// The reason for which `status` is `.failed`; nil where it is not.
  public var error: (any Error)? { output.withLock { health.error } }

  /// Number of times that the device ran out of frames.
  public var underrunCount: Int { output.withLock { health.underruns } }

  /// Number of rewrites that reached the device too late for their first frames to be heard, or may have, as
  /// `RendererEvent.lateSplice` tells.
  public var lateSpliceCount: Int { output.withLock { health.lateSplices } }

  /// Events that nobody asked for at that moment: each caller has its own sequence, from now on.
  public var rendererEvents: EventSequence<RendererEvent> {
    output.withLock { callbacks.events }.subscribe()
  }

  /// Stops debug builds where the caller does not hold the output's lock.
  func assertLocked(_ call: StaticString = #function) {
    assert(output.lock.isHeld, "\(call) needs the output's lock: use `withLock`")
  }

  func send(_ event: RendererEvent) { callbacks.send(event) }

  // MARK: Enqueuing

  /// Adds a buffer behind those enqueued so far; its time says when it is heard.
  ///
  /// May be called while not ready, but what finds no room is kept in memory until it does. The buffer
  /// is held until it has been heard: another rate has it converted again. A time
  /// within half a frame of the end of the buffer before is taken as that end. Frames before that end
  /// are not heard, nor is a buffer whose time is more than 2^35 seconds, 1,089 years, from zero.
  /// Converts on the calling thread. The corresponding call is `AVSampleBufferAudioRenderer.enqueue(_:)`.
  ///
  /// - Precondition: its rate is at least `AudioFormat.lowestSourceRate`, or the renderer's.
  public func enqueue(_ buffer: SampleBuffer) { enqueue(buffer, continuing: nil) }

  /// Adds a buffer, unless the content that it continues has been discarded or replaced since; nil
  /// for whatever there is.
  package func enqueue(_ buffer: SampleBuffer, continuing generation: Int?) {
    let (due, target, heard) = output.withLock {
      () -> (SampleBuffer?, LineTarget?, [SampleBuffer]) in
      guard generation == nil || generation == line.generation else { return (nil, nil, []) }
      health.enqueued()
      producers.enqueuedBuffers += 1
      guard abs(buffer.time.numerator / Int128(buffer.time.denominator)) < 1 << 35 else {
        return (nil, nil, [])
      }
      // Now: it may have to wait for room, and what has nothing else would end meanwhile.
      if buffer.heardFrameCount > 0, !intake.awaitsFlush { takeBackEnd() }
      let (due, heard) = keep(buffer)
      guard let due else { return (nil, nil, heard) }
      intake.converts()
      let target = LineTarget(renderer: self, generation: line.generation, conversion: conversion)
      return (due, target, heard)
    }
    withExtendedLifetime(heard) {}
    guard let due, let target else { return }
    convert(due, into: target)
  }

  /// Says that nothing follows what is enqueued: its last frames are rendered, the device drains
  /// and stops, and `RendererEvent.drained` is sent when the last frame has been heard.
  ///
  /// Enqueuing again takes this back.
  public func finishEnqueuing() { finishEnqueuing(continuing: nil) }

  /// The same, unless the content that ends has been discarded or replaced since; nil for whatever
  /// there is.
  package func finishEnqueuing(continuing generation: Int?) {
    let target = output.withLock { () -> LineTarget? in
      guard generation == nil || generation == line.generation else { return nil }
      intake.unheardBuffers.isFinished = true
      guard !intake.unheardBuffers.isConverting else { return nil }
      return LineTarget(renderer: self, generation: line.generation, conversion: conversion)
    }
    guard let target else { return }
    finish(into: target)
  }

  /// More will be enqueued after an end that was announced.
  package func expectMore() { output.withLock { line.finish(false) } }

  /// True where less than twice the device's buffer is enqueued.
  ///
  /// May change at any time; only enqueuing makes it false.
  public var isReadyForMoreMediaData: Bool { output.withLock { isReady } }

  /// True where enough is enqueued to start: the device's buffer or 250 ms, the smaller, or all there
  /// is.
  public var hasSufficientMediaDataForReliablePlaybackStart: Bool {
    output.withLock { isPrimed }
  }

  /// Says that what is enqueued from its begin on is another part of the content, at a gain of its own, unless
  /// the content that it continues has been discarded or replaced since.
  package func beginContent(_ part: ContentPart, continuing generation: Int) {
    output.withLock {
      guard generation == line.generation else { return }
      line.begin(part.gain(at: line.rate))
    }
  }

  // MARK: Flushing

  /// Discards everything that can still be replaced; media time holds until there is more.
  ///
  /// A player whose renderer is flushed enqueues again what was discarded, and plays on.
  /// The corresponding call is `AVSampleBufferAudioRenderer.flush()`.
  public func flush() {
    let fade = Fade.standard.frames(at: format.sampleRate)
    perform(.clear(fade: fade, isFlush: true))
  }

  /// Discards what is enqueued for `time` and later, and leaves what plays before alone.
  ///
  /// Whoever enqueues goes on with a buffer for `time`; a player does so by itself, and what is
  /// heard stays the same.
  ///
  /// - Returns: through `completion`, on an unspecified thread: false, and nothing changed, if
  ///   `time` is heard before the first frame that can still be replaced.
  public func flush(
    fromSourceTime time: MediaTime, completionHandler completion: @escaping @Sendable (Bool) -> Void
  ) {
    guard time.isNumeric else { return completion(false) }
    perform(.cut(RationalTime(time), completion))
  }

  /// Discards what is enqueued for `time` and later, and leaves what plays before alone.
  ///
  /// - Returns: false, and nothing changed, if `time` is heard before the first frame that can
  ///   still be replaced.
  public func flush(fromSourceTime time: MediaTime) async -> Bool {
    await withCheckedContinuation { continuation in
      flush(fromSourceTime: time) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Volume

  /// The renderer's own gain, 1 for unchanged; not clamped, and never written to the server.
  ///
  /// Audible at once, as a ramp of 5 ms. During a fade it is where that goes; setting it ends the fade.
  public var volume: Float {
    get { output.withLock { wanted.loudness.volume } }
    set { output.withLock { wanted.loudness.volume = newValue }; gainChanged() }
  }

  /// True where this renderer is silent; its volume is kept.
  public var isMuted: Bool {
    get { output.withLock { wanted.loudness.isMuted } }
    set { output.withLock { wanted.loudness.isMuted = newValue }; gainChanged() }
  }

  /// Has `volume` go to another value in a straight line over `duration` of what is heard, to the
  /// frame.
  ///
  /// It begins at once, or at the first frame heard where nothing is. A pause or an underrun holds it;
  /// seeks, skips, edits, another rate and another device do not touch it. Another fade goes on from
  /// where this one is; `volume` and `isMuted` end it at its goal. It is 5 ms long at least, and
  /// 2,147,483,647 frames at most, 12 hours at 48 kHz.
  ///
  /// - Precondition: `duration` is numeric and not negative.
  public func fade(to volume: Float, over duration: MediaTime) {
    require(
      duration.isNumeric && duration >= .zero,
      "a fade over \(duration); 0 and longer numbers are permitted")
    let length = RationalTime(duration)
    output.withLock {
      wanted.loudness.volume = volume
      performLocked(.fadeVolume(length))
    }
  }

  private func gainChanged() {
    perform(.volume)
  }
}
