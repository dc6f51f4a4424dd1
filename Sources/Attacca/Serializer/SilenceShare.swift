// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

/// The share that is kept of a silence, in frames of one format: a pure counter.
///
/// Of a silence of n frames, where n is no less than `least`, `head` frames are kept at its beginning, which grow with
/// each `half` frames more, and `tail` at its end. The numbers are those that Media3's processor keeps, which takes
/// 16-bit samples.
struct SilenceShare {
  /// Frames of the shortest silence that is shortened.
  let least: Int64
  /// Frames that are kept at either end.
  let half: Int64
  /// Frames that are kept at most; twice `half` are in any case.
  let most: Int64
  private let fraction: Float
  /// Bytes of a frame, as Media3 counts.
  private let bytes: Int64
  /// Blocks of `half` frames that have been counted behind the first `least`.
  private var blocks: Int64 = 0
  /// Frames that are kept at the beginning so far.
  private(set) var head: Int64 = 0

  init(_ setting: SilenceSkipping, format: AudioFormat) {
    let rate = Int64(format.sampleRate)
    half = max(1, Self.frames(setting.minimumDuration, rate) / 2)
    least = 2 * half
    most = max(least, Self.frames(setting.maximumRetained, rate))
    fraction = setting.retainedFraction
    bytes = Int64(2 * format.channelCount)
  }

  /// Whole frames of a time, the last one not counted where it is not whole.
  private static func frames(_ time: MediaTime, _ rate: Int64) -> Int64 {
    let exact = RationalTime(time)
    return Int64(exact.numerator * Int128(rate) / Int128(exact.denominator))
  }

  /// Frames that are kept of `count` in the middle.
  private func kept(of count: Int64) -> Int64 {
    let wanted = Int64(Float(count * bytes) * fraction + 0.5) / bytes
    return max(0, min(wanted, most - head - half))
  }

  /// The silence has `count` frames by now.
  mutating func grow(to count: Int64) {
    guard count >= least else { return }
    if head == 0 { head = half }
    let blocks = (count - least) / half
    while self.blocks < blocks, head + half < most {
      let kept = kept(of: half)
      // A fraction of nothing stays so.
      guard kept > 0 else { break }
      head += kept
      self.blocks += 1
    }
    self.blocks = blocks
  }

  /// Frames that are kept at the end of a silence of `count` frames, no less than `least`.
  func tail(of count: Int64) -> Int64 { half + kept(of: (count - least) % half) }

  /// Another silence begins.
  mutating func begin() { (blocks, head) = (0, 0) }
}
