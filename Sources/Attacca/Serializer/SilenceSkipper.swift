// SPDX-License-Identifier: Apache-2.0

import DequeModule
import MediaTime
import SampleBuffers
import SoundFiles

/// Leaves out the middle of silences among the frames of an item, in the direction in which it is played.
///
/// What it makes of a silence depends on its frames alone, neither on how they are cut into chunks nor on where
/// reading began, if that was not within it. It holds back the frames of a silence until it is known what becomes of
/// them: `SilenceSkipping.maximumRetained` of them at most.
final class SilenceSkipper {
  /// Frames that are heard in one stretch.
  ///
  /// What lies between one part and the next is left out.
  struct Part {
    let chunk: Chunk
    /// The place in the item of the first of them.
    let begin: RationalTime
    /// The silence whose middle is left out in front of them; nil where nothing is.
    var behind: SkippedParts.Silence?
    /// Beginning of the silence that they end in, which is being shortened; nil for none.
    var openSilence: RationalTime?

    var end: RationalTime {
      begin + RationalTime(frames: Int64(chunk.frameCount), rate: chunk.format.sampleRate)
    }
  }

  private let setting: SilenceSkipping
  private let pool = FramePool()
  /// Frames of the item in which silences are shortened.
  private let range: Range<RationalTime>
  /// From here on nothing is shortened.
  private var limit: RationalTime?
  private var format: AudioFormat
  private var share: SilenceShare
  private var parts: Deque<Part> = []
  /// The place in the item from which on frames are counted: all of them are of `format`.
  private var base: RationalTime
  /// The frame behind what was pushed.
  private var position: Int64 = 0

  // The stretch that is being put together.
  private var out: [Float] = []
  private var outBegin: Int64 = 0
  private var outBehind: SkippedParts.Silence?

  // The silence at the end of what was pushed.
  private var silenceBegin: Int64 = 0
  private var silenceCount: Int64 = 0
  /// Frames handed on of it.
  private var silenceOut: Int64 = 0
  /// Its frames from `silenceOut` on, as many as may be kept at its beginning.
  private var front: [Float] = []
  /// Its last frames, as many as may be kept at its end, and some before.
  private var back: [Float] = []

  /// A skipper for frames of `format`, the first of which is at `begin` in the item; only those in `range` are
  /// shortened.
  init(
    _ setting: SilenceSkipping, format: AudioFormat, at begin: RationalTime,
    within range: Range<RationalTime>
  ) {
    (self.setting, self.format, self.range) = (setting, format, range)
    share = SilenceShare(setting, format: format)
    base = begin
  }

  private var rate: Int { format.sampleRate }
  private var channels: Int { format.channelCount }

  /// The place in the item of a frame.
  private func place(of frame: Int64) -> RationalTime {
    base + RationalTime(frames: frame, rate: rate)
  }

  /// The next stretch that is heard; nil until more is pushed.
  func popFirst() -> Part? { parts.popFirst() }

  /// Says that the frames pushed are all for now: nothing behind them is shortened.
  func end() {
    endSilence()
    limit = place(of: position)
  }

  /// Says that the frames pushed are all.
  func finish() {
    endSilence()
    close()
  }

  /// Takes the next frames.
  func push(_ chunk: Chunk) {
    if chunk.format != format {
      finish()
      (base, position) = (place(of: position), 0)
      format = chunk.format
      share = SilenceShare(setting, format: format)
    }
    let samples = UnsafeBufferPointer(
      start: chunk.storage.samples, count: chunk.frameCount * channels)
    // Where the range begins or ends within it, frames are counted from here.
    let upper = limit.map { min($0, range.upperBound) } ?? range.upperBound
    let first = min(Int64(chunk.frameCount), max(0, frames(to: range.lowerBound)))
    let last = min(Int64(chunk.frameCount), max(first, frames(to: upper)))
    take(samples, 0..<Int(first), isPlain: true)
    take(samples, Int(first)..<Int(last), isPlain: false)
    take(samples, Int(last)..<chunk.frameCount, isPlain: true)
    close()
  }

  /// Frames from `position` to a place.
  private func frames(to place: RationalTime) -> Int64 {
    min(place - base, PlayedRange.end).frames(at: rate) - position
  }

  private func take(_ samples: UnsafeBufferPointer<Float>, _ frames: Range<Int>, isPlain: Bool) {
    guard !frames.isEmpty else { return }
    if isPlain {
      endSilence()
      return hear(samples[(frames.lowerBound * channels)..<(frames.upperBound * channels)])
    }
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let wasSilent = isSilent(samples, frame)
      var next = frame + 1
      while next < frames.upperBound, isSilent(samples, next) == wasSilent { next += 1 }
      let run = samples[(frame * channels)..<(next * channels)]
      if wasSilent {
        hold(run)
      } else {
        endSilence()
        hear(run)
      }
      frame = next
    }
  }

  private func isSilent(_ samples: UnsafeBufferPointer<Float>, _ frame: Int) -> Bool {
    let threshold = setting.threshold
    for i in (frame * channels)..<((frame + 1) * channels) where abs(samples[i]) > threshold {
      return false
    }
    return true
  }

  /// Hands frames on as they are.
  private func hear(_ samples: some Collection<Float>) {
    if out.isEmpty { outBegin = position }
    out += samples
    position += Int64(samples.count / channels)
  }

  // MARK: Silences

  private func hold(_ samples: Slice<UnsafeBufferPointer<Float>>) {
    if silenceCount == 0 {
      silenceBegin = position
      share.begin()
    }
    let room = Int(share.most - silenceOut) * channels - front.count
    front += samples.prefix(max(0, room))
    back += samples
    let count = samples.count / channels
    silenceCount += Int64(count)
    position += Int64(count)
    share.grow(to: silenceCount)
    let kept = Int(share.least) * channels
    if back.count > 8 * kept { back.removeFirst(back.count - kept) }
    hand(upTo: share.head)
  }

  /// Hands on the beginning of the silence up to its frame `end`.
  private func hand(upTo end: Int64) {
    let count = Int(end - silenceOut) * channels
    guard count > 0 else { return }
    if out.isEmpty { outBegin = silenceBegin + silenceOut }
    let first = out.count
    out += front.prefix(count)
    front.removeFirst(count)
    let volume = setting.retainedVolume
    for frame in silenceOut..<end {
      let progress = share.half > 1 ? Float(frame) / Float(share.half - 1) : 1
      scale(first + Int(frame - silenceOut) * channels, by: 1 - (1 - volume) * min(1, progress))
    }
    silenceOut = end
  }

  /// No frame follows that belongs to the silence.
  private func endSilence() {
    guard silenceCount > 0 else { return }
    defer { forgetSilence() }
    guard silenceCount >= share.least else {
      if out.isEmpty { outBegin = silenceBegin }
      out += front
      return
    }
    let tail = share.tail(of: silenceCount)
    let begin = silenceBegin + silenceCount - tail
    if silenceOut < silenceCount - tail {
      close()
      outBehind = SkippedParts.Silence(
        begin: place(of: silenceBegin), end: place(of: silenceBegin + silenceCount))
    }
    if out.isEmpty { outBegin = begin }
    let first = out.count
    out += back.suffix(Int(tail) * channels)
    let volume = setting.retainedVolume
    for frame in 0..<tail {
      let progress = tail > 1 ? Float(frame) / Float(tail - 1) : 0
      scale(first + Int(frame) * channels, by: volume + (1 - volume) * progress)
    }
  }

  private func forgetSilence() {
    (silenceCount, silenceOut) = (0, 0)
    front.removeAll(keepingCapacity: true)
    back.removeAll(keepingCapacity: true)
  }

  private func scale(_ sample: Int, by factor: Float) {
    for i in sample..<(sample + channels) { out[i] *= factor }
  }

  /// Ends the stretch that is being put together.
  private func close() {
    guard !out.isEmpty else { return }
    let storage = pool.take(samples: out.count)
    out.withUnsafeBufferPointer {
      storage.samples.update(from: $0.baseAddress!, count: $0.count)
    }
    parts.append(
      Part(
        chunk: Chunk(storage: storage, frameCount: out.count / channels, format: format),
        begin: place(of: outBegin), behind: outBehind,
        openSilence: silenceOut > 0 ? place(of: silenceBegin) : nil))
    outBehind = nil
    out.removeAll(keepingCapacity: true)
  }
}
