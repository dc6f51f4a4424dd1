// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The amounts that are decoded at a time, and when.
struct DecodePace {
  /// Frames that are decoded at a time at the natural speed, about, and their rate.
  private let stepFrames: (count: Int64, rate: Int)
  /// Host time until which what plays is not decoded further.
  var restEnd: UInt64 = 0

  /// The pace for a device at `rate` that holds `targetLength` frames.
  ///
  /// Half of what the device holds a time, a second at most: three wakeups for each, this queue
  /// twice and the decoder once. Two seconds would save one and a half a second, and cost 1.2 MB.
  init(targetLength: Int64, rate: Int) {
    stepFrames = (max(min(targetLength / 2, Int64(rate)), Int64(rate) / 50), rate)
  }

  /// About so much is decoded at a time where `rate` is played at: 8 s at most, which are 3 MB, however fast
  /// they pass.
  func step(at rate: Double) -> RationalTime {
    let pace = min(max(rate, 1 / 4), 8)
    return RationalTime(frames: Int64(Double(stepFrames.count) * pace), rate: stepFrames.rate)
  }
}
