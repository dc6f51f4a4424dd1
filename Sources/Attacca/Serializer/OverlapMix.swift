// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

/// One end of an item where it overlaps another one.
final class OverlapMix {
  /// Frames of the item that are mixed.
  let frames: Range<Int64>
  /// The other item.
  let voice: OverlapVoice
  private let curve: ItemCrossfade.Curve
  /// True where the other one is the one that enters.
  private let isExit: Bool
  /// The frame at which the overlap begins, and its length in frames.
  private let begin: Double
  private let length: Double
  private let ownVolume: OverlapVolume
  private let otherVolume: OverlapVolume
  private var mixer: ChannelMixer?

  /// The end of the item that leaves, or the beginning of the one that enters; `layout` is that item's, `open`
  /// opens the other one.
  init(
    _ overlap: Overlap, isExit: Bool, layout: ChannelLayout,
    open: @escaping () throws -> any FrameSource
  ) {
    let (transition, isReversed) = (overlap.transition, overlap.transition.isReversed)
    let (own, other) =
      isExit ? (overlap.leaving, overlap.entering) : (overlap.entering, overlap.leaving)
    let (rate, begin) = (own.rate, isExit ? overlap.begin : .zero)
    (self.isExit, curve) = (isExit, transition.crossfade.curve)
    // Frames before the middle are the one's, and those behind it the other's.
    let first = begin.frames(at: rate)
    frames =
      first..<max(first, isExit ? own.length : overlap.duration.frames(at: rate))
    self.begin = Double(first) + begin.phase(at: rate)
    length = overlap.duration.seconds * Double(rate)
    let start = isExit ? begin : overlap.leavingStart
    voice = OverlapVoice(from: start, rate: rate, layout: layout, open: open)
    let volumes = (transition.leaving.volume, transition.entering.volume)
    ownVolume = OverlapVolume(
      isExit ? volumes.0 : volumes.1, from: .zero,
      duration: RationalTime(frames: own.length, rate: rate), rate: rate, isReversed: isReversed)
    otherVolume = OverlapVolume(
      isExit ? volumes.1 : volumes.0, from: start,
      duration: RationalTime(frames: min(other.length, 1 << 44), rate: other.rate), rate: rate,
      isReversed: isReversed)
  }

  /// The gains of the item itself and of the other one at a frame.
  private func gains(at frame: Int64) -> (own: Float, other: Float) {
    let gains = curve.gains(at: (Double(frame) - begin) / length)
    return isExit ? (gains.leaving, gains.entering) : (gains.entering, gains.leaving)
  }

  /// The item's `chunk`, which begins with frame `position` and lies in the overlap, mixed with the other one.
  ///
  /// - Throws: `SourceIsWaiting`, and may then be asked again.
  func mix(_ chunk: Chunk, at position: Int64, pool: FramePool) throws -> Chunk {
    let count = chunk.frameCount
    let format = try voice.format(from: position)
    try voice.prepare(count, from: position)
    let storage = pool.take(samples: count * format.channelCount)
    let mixer = mixer(from: chunk.format.layout, to: format.layout)
    mixer.mix(chunk.storage.samples, frameCount: count, into: storage.samples)
    let channels = format.channelCount
    for n in 0..<count {
      let frame = position + Int64(n)
      let factor = gains(at: frame).own * ownVolume.factor(at: frame)
      for i in (n * channels)..<((n + 1) * channels) { storage.samples[i] *= factor }
    }
    try voice.add(count, from: position, to: storage.samples) {
      gains(at: $0).other * otherVolume.factor(at: $0)
    }
    return Chunk(storage: storage, frameCount: count, format: format)
  }

  private func mixer(from input: ChannelLayout, to output: ChannelLayout) -> ChannelMixer {
    if let mixer, mixer.input == input, mixer.output == output { return mixer }
    let new = ChannelMixer(from: input, to: output)
    mixer = new
    return new
  }
}
