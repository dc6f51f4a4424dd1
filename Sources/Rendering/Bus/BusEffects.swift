// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

/// Sum of a bus behind its effects, and the sum before them as far back as they need it.
///
/// Processors have state. So where the sum changes, new ones begin as far before as their history reaches, and
/// the frames that they make take the place of those that the old ones had made. A frame behind them depends on `latency` frames more than the one of its number.
struct BusEffects: ~Copyable {
  let setting: EffectSetting
  let reach: EffectReach
  private let format: AudioFormat
  /// The sum.
  private var input: FrameRing
  /// The same behind the effects.
  private(set) var output: FrameRing
  // Owned.
  private let block: UnsafeMutablePointer<Float>

  /// Effects of `setting` for a bus of `format` whose lanes hold `capacity` frames; with none, what is heard is the sum.
  init(_ setting: EffectSetting, format: AudioFormat, capacity: Int) {
    (self.setting, self.format) = (setting, format)
    reach = EffectReach(
      EffectChain.processors(setting, format: format), sampleRate: format.sampleRate)
    let before = reach.latency + reach.history
    input = FrameRing(channelCount: format.channelCount, capacity: capacity + before)
    output = FrameRing(channelCount: format.channelCount, capacity: capacity + before)
    block = .allocate(capacity: EffectChain.maximumFrames * format.channelCount)
  }

  deinit { block.deallocate() }

  /// Takes the sum of frames `range`, which `sum` makes, in the place of all from `range.lowerBound` on, silence
  /// behind it, and processes it again from `first` on.
  mutating func take(
    _ range: Range<StreamFrame>, from first: StreamFrame,
    sum: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    Self.begin(range, in: &input)
    input.append(frames: range.count, render: sum)
    let wanted = first..<max(first, range.upperBound)
    Self.begin(wanted, in: &output)
    let processors = EffectChain.processors(setting, format: format)
    // The frame that comes out as `at` goes in lies `latency` before it.
    var at = first - Int64(reach.history)
    let end = wanted.upperBound + Int64(reach.latency)
    while at < end {
      let frames = min(EffectChain.maximumFrames, Int(end - at))
      input.copy(from: at, frames: frames, into: block)
      for processor in processors { processor.process(block, frameCount: frames) }
      let out = at - Int64(reach.latency)
      let early = Int(min(max(0, first - out), Int64(frames)))
      output.append(block + early * format.channelCount, frames: frames - early)
      at += Int64(frames)
    }
  }

  /// Copies the sum of frames from `frame` on into `target`; silence where it is not known.
  func copySum(from frame: StreamFrame, frames: Int, into target: UnsafeMutablePointer<Float>) {
    input.copy(from: frame, frames: frames, into: target)
  }

  /// Has `ring` end before `range`, and have room for it.
  private static func begin(_ range: Range<StreamFrame>, in ring: inout FrameRing) {
    if range.lowerBound < ring.begin { ring.clear(at: range.lowerBound) }
    ring.truncate(at: range.lowerBound)
    ring.reserve(range.count)
    let gap = range.lowerBound - ring.end
    guard ring.count > 0, gap < Int64(ring.capacity - range.count) else {
      return ring.clear(at: range.lowerBound)
    }
    let lacking = Int(gap) + range.count - ring.room
    if lacking > 0 { ring.discard(before: ring.begin + lacking) }
    ring.append(nil, frames: Int(gap))
  }

  /// Has what is heard from `frame` on come in over `old`, interleaved frames that would have been heard.
  mutating func fadeIn(at frame: StreamFrame, from old: UnsafePointer<Float>, frames: Int) {
    let channels = format.channelCount
    for n in 0..<frames {
      output.copy(from: frame + n, frames: 1, into: block)
      let part = Float(n + 1) / Float(frames + 1)
      for c in 0..<channels {
        block[c] = old[n * channels + c] * (1 - part) + block[c] * part
      }
      output.overwrite(block, at: frame + n, frames: 1)
    }
  }
}
