// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering
import SampleBuffers

/// The volume of an item by the frames of a source, for what is mixed before the line's gains.
struct OverlapVolume: ~Copyable {
  private var gains = ContentGains()
  /// True where every frame has the factor 1.
  let isUnity: Bool

  /// Volume of an item that is heard from `start` on if all of it is and lasts `duration`, in frames at `rate`.
  init(
    _ volume: ItemVolume, from start: RationalTime, duration: RationalTime, rate: Int,
    isReversed: Bool
  ) {
    isUnity = volume.isUnity
    gains.begin(
      ContentGain(
        key: .none, media: 0, factor: Decibels.factor(volume.gain),
        volume: VolumeCurve(volume.automation), zero: isReversed ? start + duration : start),
      at: StreamFrame(.min / 4), offset: 0, rate: rate, isReversed: isReversed, length: 0)
  }

  /// The factor of a frame.
  func factor(at frame: Int64) -> Float { isUnity ? 1 : gains.factor(at: StreamFrame(frame)) }
}
