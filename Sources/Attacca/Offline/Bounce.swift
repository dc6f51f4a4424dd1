// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import MediaTime
import Preconditions
import Rendering
public import SampleBuffers
import SoundFiles
import Synchronization

/// Renders items one behind the other as fast as all cores can: what a player would play, to the bit.
///
/// Several threads read and convert ahead of the one that takes the frames, in order. What is in
/// memory at a time is bounded: about 20 MB on two cores, whatever the length of the list. Use
/// `OfflineRenderer` with a player for what is edited, sought or faded on the way.
public final class Bounce: @unchecked Sendable {
  // @unchecked: `reading`, `overlaps` and `skipped` are thread-safe, and nothing else changes but `current`.

  /// The format of the frames.
  public let format: AudioFormat
  private let items: [PlaylistItem]
  private let gap: MediaTime
  private let quality: RateConverter.Quality
  private let effects: EffectSetting
  private let limiter: EffectSetting
  private let sizes: Sizes
  private let queue = DispatchQueue(label: "attacca.bounce", attributes: .concurrent)
  private let reading: ReadAhead
  private let overlaps: BounceOverlaps
  private let silence: SilenceSkipping?
  private let skipped = BouncedSilence()
  private let current = Atomic<Int>(0)

  /// Sizes of the pieces that the work is cut into, and waits for them.
  struct Sizes {
    /// Threads that read, and blocks that are converted, at a time.
    ///
    /// More than eight would wait for the one that takes the frames.
    var threads = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 8)
    /// Samples read at a time: 1.5 s of stereo, half a megabyte.
    var chunkSamples = 1 << 17
    /// Samples of a block that is converted, at least: 3 s of stereo.
    ///
    /// Making a converter for it, 0.2 ms, costs as much as 14,000 frames.
    var blockSamples = 1 << 18
    /// Seconds after which a read that hangs is given up.
    var timeout = 30.0
  }

  /// A rendering of `items`, each from its first frame to its last, which overlap as `crossfade` says, or have
  /// silence of `gap` between them, or as much as they say themselves (`SampleBufferPlayer.gap`), and are as loud as
  /// `loudnessNormalization` says.
  ///
  /// Their own silences are shortened as `silenceSkipping` says. All sound goes through `effects`, in this order, before gains and volumes of items, as in a renderer's
  /// `effects`: from joint to joint in one stretch. The sound dies away behind the last item. `limiter` comes last, behind gains and volumes.
  ///
  /// - Precondition: the format's rate is `AudioFormat.lowestOutputRate` or more, `gap` numeric and not negative. The effects' latencies are half a
  ///   second at most together, their tails ten seconds.
  public convenience init(
    _ items: [PlaylistItem], format: AudioFormat, quality: RateConverter.Quality = .veryHigh,
    effects: [any AudioEffect] = [], crossfade: ItemCrossfade? = nil, gap: MediaTime = .zero,
    loudnessNormalization: LoudnessNormalization = LoudnessNormalization(),
    limiter: LimiterEffect? = nil, silenceSkipping: SilenceSkipping? = nil
  ) {
    let pool = FramePool()
    self.init(
      items, opening: { try $0.makeSource(pool: pool) },
      format: format, quality: quality, effects: effects, crossfade: crossfade, gap: gap,
      loudnessNormalization: loudnessNormalization, limiter: limiter,
      silenceSkipping: silenceSkipping)
  }

  init(
    _ items: [PlaylistItem], opening open: @escaping DecoderWatchdog.Opener, format: AudioFormat,
    quality: RateConverter.Quality = .veryHigh, effects: [any AudioEffect] = [],
    sizes: Sizes = Sizes(), crossfade: ItemCrossfade? = nil, gap: MediaTime = .zero,
    loudnessNormalization: LoudnessNormalization = LoudnessNormalization(),
    limiter: LimiterEffect? = nil, silenceSkipping: SilenceSkipping? = nil
  ) {
    PlaylistItem.check(gap: gap)
    require(
      format.sampleRate >= AudioFormat.lowestOutputRate,
      "a rendering at \(format.sampleRate) Hz; \(AudioFormat.lowestOutputRate) is the least")
    (self.items, self.format, self.quality, self.sizes) = (items, format, quality, sizes)
    self.gap = gap
    silence = silenceSkipping
    self.effects = EffectSetting(effects)
    self.limiter = EffectSetting(limiter.map { [$0] } ?? [])
    overlaps = BounceOverlaps(
      items, crossfade, gap: gap, BounceLoudness(items, loudnessNormalization), opening: open,
      timeout: min(2, sizes.timeout / 4))
    reading = ReadAhead(items, on: queue, sizes: sizes, overlaps: overlaps)
  }

  /// Index of the item that is being rendered; any thread.
  public var currentIndex: Int { current.load(ordering: .relaxed) }

  /// Length of the silence that has been left out so far; any thread.
  public var skippedSilence: MediaTime { MediaTime(skipped.total) }

  /// Ends `render` soon, wherever it is; any thread.
  public func cancel() { reading.cancel() }

  /// Renders everything; blocks until it is done, or cancelled.
  ///
  /// Called once.
  ///
  /// - Parameters:
  ///   - body: takes interleaved frames of `format`, in order; called on this thread, valid only
  ///     during the call.
  ///   - failed: told of an item that cannot be played, or not to its end, on this thread. The next
  ///     one follows where its last frame was.
  /// - Throws: what `body` throws, which is called no more.
  public func render<E: Error>(
    _ body: (UnsafeBufferPointer<Float>) throws(E) -> Void, failed: (ItemFailure) -> Void = { _ in }
  ) throws(E) {
    defer { reading.cancel() }
    let converter = TimelineConverter(
      output: format, quality: quality,
      parallel: ParallelConversion(
        queue: queue, threads: sizes.threads, blockSamples: sizes.blockSamples))
    var failure: E?
    var gains = BounceGains(format: format)
    let (chain, last) = (
      EffectChain(effects, format: format), EffectChain(limiter, format: format)
    )
    func emit(_ samples: UnsafeBufferPointer<Float>) {
      guard failure == nil else { return }
      do throws(E) { try body(samples) } catch { failure = error }
    }
    func hand(_ samples: UnsafeBufferPointer<Float>, at media: TimelineFrame) {
      gains.apply(to: samples, at: StreamFrame(media.number)) { samples in
        guard let last else { return emit(samples) }
        last.push(samples, media: media) { samples, _, _ in emit(samples) }
      }
    }
    func affect(_ frame: Int64, _ samples: UnsafeBufferPointer<Float>) {
      let media = TimelineFrame(frame)
      guard let chain else { return hand(samples, at: media) }
      chain.push(samples, media: media) { samples, media, _ in hand(samples, at: media) }
    }
    var time = RationalTime.zero
    var begun = -1
    var skipping: BouncedSilence.Item?
    func convert(_ chunk: Chunk) {
      let buffer = SampleBuffer(
        storage: chunk.storage, format: chunk.format, frameCount: chunk.frameCount, time: time)
      converter.convert(buffer) { affect($0, $1) }
      time = buffer.endTime
    }
    func convert(_ parts: [SilenceSkipper.Part]) {
      for part in parts {
        gains.go(on: time, from: part.begin, to: part.end)
        convert(part.chunk)
      }
    }
    while failure == nil, let outcome = reading.next() {
      switch outcome {
      case .chunk(let chunk):
        let index = currentIndex
        if index != begun {
          if begun >= 0 {
            for silence in silence(before: items[index], in: chunk.format, at: time) {
              converter.convert(silence) { affect($0, $1) }
              time = silence.endTime
            }
          }
          begun = index
          let known = overlaps.known(index)
          gains.begin(items[index], gain: overlaps.loudness.gain(index), at: time, known)
          skipping = silence.map { BouncedSilence.Item($0, chunk.format, known, in: skipped) }
          if skipping == nil {
            let begin = known.entry?.entering.duration ?? .zero
            gains.go(on: time, from: begin, to: PlayedRange.end)
          }
        }
        if let skipping { convert(skipping.push(chunk)) } else { convert(chunk) }
      case .ended(let truncation):
        if let skipping { convert(skipping.finish()) }
        skipping = nil
        end(truncation, failed)
      case .failed(let error), .hopeless(let error):
        if let skipping { convert(skipping.finish()) }
        skipping = nil
        end(error, failed)
      }
    }
    if failure == nil {
      converter.finish { affect($0, $1) }
      chain?.finish { samples, media, _ in hand(samples, at: media) }
      last?.finish { samples, _, _ in emit(samples) }
    }
    if let failure { throw failure }
  }

  /// The gap in front of an item of `format`, from `time` on, in buffers of a second at most.
  private func silence(
    before item: PlaylistItem, in format: AudioFormat, at time: RationalTime
  ) -> some Sequence<SampleBuffer> {
    let gap = min(RationalTime(item.gap ?? gap), PlayedRange.end)
    let (rate, count) = (Int64(format.sampleRate), gap.frames(at: format.sampleRate))
    return stride(from: 0, to: count, by: Int(rate)).lazy.map { first in
      let frames = Int(min(rate, count - first))
      let storage = FrameStorage(capacity: frames * format.channelCount)
      storage.samples.update(repeating: 0, count: frames * format.channelCount)
      return SampleBuffer(
        storage: storage, format: format, frameCount: frames,
        time: time + RationalTime(frames: first, rate: format.sampleRate))
    }
  }

  /// The item is over.
  private func end(_ error: (any Error)?, _ failed: (ItemFailure) -> Void) {
    let index = current.wrappingAdd(1, ordering: .relaxed).oldValue
    if let error { failed(ItemFailure(item: items[index], error: error)) }
  }
}
