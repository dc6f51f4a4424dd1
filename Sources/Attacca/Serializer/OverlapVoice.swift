// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering
import SampleBuffers
import SoundFiles

/// The frames of one item in the frames of another one, with which it overlaps.
///
/// Read from the first frame that is asked for on. What cannot be read is silence: the item's own turn tells
/// why.
final class OverlapVoice {
  private let open: () throws -> any FrameSource
  /// Time at which its first frame is heard if all of it is, in the other's time.
  private let start: RationalTime
  private let rate: Int
  private let layout: ChannelLayout
  /// Guards `source`, which another thread may cancel.
  private let semaphore = DispatchSemaphore(value: 1)
  private var source: (any FrameSource)?
  private var isOpen = false
  private var isOver = false
  private var converter: TimelineConverter?
  private var history = 0
  private var nextTime = RationalTime.zero
  /// Frames that are converted and not taken, the first of which is frame `first`.
  private var frames: [Float] = []
  private var first: Int64 = 0

  /// The item that `open` opens, heard from `start` on, in frames at `rate`; `layout` is the other's.
  init(
    from start: RationalTime, rate: Int, layout: ChannelLayout,
    open: @escaping () throws -> any FrameSource
  ) {
    (self.start, self.rate, self.layout, self.open) = (start, rate, layout, open)
  }

  func cancel() { semaphore.withLock { source }?.cancel() }

  /// Speakers of both items: those of the one that has more, the other's where they have as many.
  ///
  /// - Throws: `SourceIsWaiting`, and may then be asked again.
  func format(from frame: Int64) throws -> AudioFormat {
    try begin(at: frame)
    return converter?.output ?? AudioFormat(sampleRate: rate, layout: layout)
  }

  /// Adds `count` frames from `frame` on to `target`, interleaved in `format`, each times `factor` of it.
  ///
  /// - Throws: `SourceIsWaiting`, and nothing is added; may then be asked again.
  func add(
    _ count: Int, from frame: Int64, to target: UnsafeMutablePointer<Float>,
    times factor: (Int64) -> Float
  ) throws {
    try prepare(count, from: frame)
    let channels = try format(from: frame).channelCount
    let present = min(count, frames.count / channels)
    for n in 0..<max(0, present) {
      let factor = factor(frame + Int64(n))
      for i in (n * channels)..<((n + 1) * channels) { target[i] += frames[i] * factor }
    }
  }

  /// Has `count` frames from `frame` on lie at the beginning of `frames`, as far as there are any.
  func prepare(_ count: Int, from frame: Int64) throws {
    try begin(at: frame)
    guard let converter else { return }
    let channels = converter.output.channelCount
    let gone = min(Int(max(0, frame - first)) * channels, frames.count)
    frames.removeFirst(gone)
    first += Int64(gone / channels)
    while !isOver, frames.count < count * channels { try fill(converter, from: frame) }
  }

  private func fill(_ converter: TimelineConverter, from frame: Int64) throws {
    let chunk: Chunk?
    do {
      chunk = try source?.read(frames: 8_192)
    } catch let error as SourceIsWaiting {
      throw error
    } catch {
      chunk = nil
    }
    guard let chunk else {
      isOver = true
      return converter.finish { append($1, at: $0, from: frame) }
    }
    let trim = min(history, chunk.frameCount)
    history -= trim
    guard trim < chunk.frameCount else { return }
    let buffer = SampleBuffer(
      storage: chunk.storage, format: chunk.format, frameCount: chunk.frameCount, time: nextTime,
      trimAtStart: trim)
    nextTime = buffer.endTime
    converter.convert(buffer) { append($1, at: $0, from: frame) }
  }

  private func append(_ samples: UnsafeBufferPointer<Float>, at place: Int64, from frame: Int64) {
    guard let converter else { return }
    let channels = converter.output.channelCount
    if frames.isEmpty { first = frame }
    let missing = place - first - Int64(frames.count / channels)
    // It begins a little later than the overlap, or it was asked for from its middle.
    if missing > 0 { frames += [Float](repeating: 0, count: Int(missing) * channels) }
    let early = min(Int(max(0, -missing)) * channels, samples.count)
    frames += samples[early...]
  }

  /// Opens the item, and goes to what is heard at `frame`.
  private func begin(at frame: Int64) throws {
    guard !isOpen else { return }
    do {
      let source = try open()
      semaphore.withLock { self.source = source }
      let now = RationalTime(frames: frame, rate: rate) - start
      var place = max(0, now.frames(at: source.format.sampleRate))
      if place > 0, RationalTime(frames: place, rate: source.format.sampleRate) > now { place -= 1 }
      history = Int(min(place, Int64(OpenItem.history)))
      if place > 0 { try source.seek(to: place - Int64(history)) }
      nextTime = start + RationalTime(frames: place, rate: source.format.sampleRate)
      let own = source.format.layout
      converter = TimelineConverter(
        output: AudioFormat(
          sampleRate: rate, layout: own.channelCount > layout.channelCount ? own : layout))
    } catch let error as SourceIsWaiting {
      throw error
    } catch {
      isOver = true
    }
    (isOpen, first) = (true, frame)
  }
}
