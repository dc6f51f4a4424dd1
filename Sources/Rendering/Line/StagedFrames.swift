// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Preconditions
import Glibc

/// Frames in the device's format that wait to be spliced into a line.
final class StagedFrames: @unchecked Sendable {
  // @unchecked: filled by one thread, then handed with a splice to the output's thread.
  // Owned: allocated here, freed in `deinit`.
  private let memory: UnsafeMutablePointer<Float>
  private var skipped = 0
  /// Timeline frame of the first frame.
  private(set) var media: TimelineFrame
  /// Timeline frames in a second of media time.
  let rate: Int
  private(set) var count = 0
  /// They start in the middle of a sound: heard after silence, they fade in.
  var fadesIn = false
  /// They are heard with media time going backwards.
  var isReversed = false
  /// Gains of their parts, in the order of the timeline; none where they are heard as they are.
  var gains: [ContentGain] = []
  let channelCount: Int
  private let capacity: Int

  /// Room for `capacity` frames that start at timeline frame `media` of `rate`.
  init(media: TimelineFrame, rate: Int, channelCount: Int, capacity: Int) {
    (self.media, self.rate) = (media, rate)
    (self.channelCount, self.capacity) = (channelCount, capacity)
    memory = .allocate(capacity: max(1, capacity * channelCount))
  }

  deinit { memory.deallocate() }

  /// Interleaved samples, `count` frames.
  var samples: UnsafeMutablePointer<Float> { memory + skipped * channelCount }

  /// The frames that `ring` holds from stream frame `frame` on, silence where it holds nothing.
  convenience init(copying ring: borrowing FrameRing, from frame: StreamFrame, frames: Int) {
    self.init(media: 0, rate: 1, channelCount: ring.channelCount, capacity: frames)
    ring.copy(from: frame, frames: frames, into: samples)
    count = frames
  }

  /// `frames` frames of `other`, frame `first` and what follows it.
  convenience init(copying other: StagedFrames, from first: Int = 0, frames: Int) {
    self.init(media: 0, rate: 1, channelCount: other.channelCount, capacity: frames)
    samples.update(
      from: other.samples + first * channelCount, count: frames * channelCount)
    count = frames
  }

  /// Frames that still fit.
  var room: Int { capacity - skipped - count }

  /// The timeline frame after the last one.
  var end: TimelineFrame { media + count }

  /// Adds silence up to timeline frame `media`, as far as there is room.
  func pad(to media: TimelineFrame) {
    let silence = Int(min(max(0, media - end), Int64(room)))
    (samples + count * channelCount).update(repeating: 0, count: silence * channelCount)
    count += silence
  }

  /// Forgets what lies before timeline frame `media`, all of it where that lies behind the end.
  func skip(to media: TimelineFrame) {
    skip(Int(min(max(0, media - self.media), Int64(count))))
    if count == 0 { self.media = max(self.media, media) }
  }

  /// Forgets the first `frames` frames.
  func skip(_ frames: Int) {
    require(frames >= 0 && frames <= count, "\(frames) of \(count) frames skipped")
    skipped += frames
    count -= frames
    media += frames
  }

  /// Adds frames at timeline frame `media`: a gap before them is silence, frames that lie before
  /// the end are dropped.
  ///
  /// - Returns: the frames taken or dropped; the rest, if any, found no room.
  func append(_ source: UnsafePointer<Float>, media: TimelineFrame, frames: Int) -> Int {
    let late = Int(min(max(0, end - media), Int64(frames)))
    if late == frames { return frames }
    pad(to: media)
    if end < media { return 0 }
    let taken = min(frames - late, room)
    (samples + count * channelCount).update(
      from: source + late * channelCount, count: taken * channelCount)
    count += taken
    return late + taken
  }

  /// Multiplies the first frames by one factor each.
  func multiply(by factors: ArraySlice<Float>) {
    for (i, factor) in factors.enumerated() {
      for j in (i * channelCount)..<((i + 1) * channelCount) { samples[j] *= factor }
    }
  }

  /// Has the first `frames` frames go out, on a straight line.
  func fadeOut(frames: Int) {
    let factors = (0..<frames).map { 1 - (Float($0) + 0.5) / Float(frames) }
    multiply(by: factors[...])
  }

  /// Crossfades from `old` at equal power: unrelated material keeps its loudness through the joint.
  ///
  /// What is alike in both adds up by more than power, 3 dB for the same tone, so the sum is scaled
  /// by what their correlation says: cos² + sin² + 2 ρ cos sin = 1.
  func fadeIn(from old: UnsafePointer<Float>, frames: Int) {
    let alike = max(0, correlation(with: old, frames: frames))
    for i in 0..<frames {
      let angle = Float.pi / 2 * (Float(i) + 0.5) / Float(frames)
      let scale = 1 / sqrtf(1 + alike * sinf(2 * angle))
      let (fadeOut, fadeIn) = (cosf(angle) * scale, sinf(angle) * scale)
      for j in (i * channelCount)..<((i + 1) * channelCount) {
        samples[j] = old[j] * fadeOut + samples[j] * fadeIn
      }
    }
  }

  /// Crossfades from `old`, which has as many frames.
  func fadeIn(from old: StagedFrames, frames: Int) {
    // Its memory goes with it.
    withExtendedLifetime(old) { fadeIn(from: old.samples, frames: frames) }
  }

  /// -1 for opposite signals, 0 for unrelated ones and silence, 1 for equal ones.
  private func correlation(with old: UnsafePointer<Float>, frames: Int) -> Float {
    var (both, mine, others): (Float, Float, Float) = (0, 0, 0)
    for j in 0..<(frames * channelCount) {
      both += samples[j] * old[j]
      mine += samples[j] * samples[j]
      others += old[j] * old[j]
    }
    let power = sqrtf(mine) * sqrtf(others)
    return power > 0 ? min(1, both / power) : 0
  }
}
