// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The gains at which a line is heard: the user's gain, and the fades of its starts and pauses, each a function of
/// the stream frame.
struct LineGains: ~Copyable {
  /// The user's gain.
  private(set) var volume: GainMap
  /// 0 while nothing is heard, with the fades of pause and resume.
  private(set) var fades = GainMap(gain: 1)
  /// The volume goes by a fade, which is held while nothing is heard.
  private var isVolumeFading = false
  /// The stream frame from which on nothing is heard, while the line does not run.
  private var heldFrom: StreamFrame = 0

  init() { volume = GainMap(gain: 1) }

  /// The gains of another device, whose frame 0 follows frame `end` of the old one, or where `old` is
  /// held; a fade of the volume goes on for as long as it had left.
  init(
    continuing old: borrowing LineGains, from end: StreamFrame?, rate: (old: Int, new: Int)
  ) {
    volume =
      old.isVolumeFading
      ? GainMap(continuing: old.volume, from: end ?? old.heldFrom, rate: rate)
      : GainMap(gain: old.volume.target)
    isVolumeFading = old.isVolumeFading
  }

  /// Forgets what ended before `frame`.
  mutating func forget(before frame: StreamFrame) {
    volume.forget(before: frame)
    fades.forget(before: frame)
  }

  // MARK: Starts and pauses

  /// From `k` on a line is heard that was not, after a fade of `length` frames.
  mutating func start(at k: StreamFrame, fade length: Int) {
    fades.reset(to: length > 0 ? 0 : 1)
    fades.ramp(to: 1, at: k, length: length)
    if isVolumeFading {
      volume.shift(by: k - heldFrom)
    } else {
      volume.reset(to: volume.target)
    }
  }

  /// From `k` on what is heard goes out within `length` frames.
  mutating func fadeOut(at k: StreamFrame, length: Int) {
    fades.ramp(to: 0, at: k, length: length)
    hold(from: k)
  }

  /// From `k` on what is heard comes in within `length` frames, out of silence.
  mutating func fadeIn(at k: StreamFrame, length: Int) {
    fades.reset(to: 0)
    fades.ramp(to: 1, at: k, length: length)
  }

  /// From `k` on nothing is heard, and a fade of the volume waits.
  mutating func hold(from k: StreamFrame) { heldFrom = k }

  // MARK: Volume

  /// From `k` on the user's gain goes to `gain` within `length` frames; at once where `k` is nil, as
  /// nothing is heard.
  mutating func setVolume(_ gain: Float, at k: StreamFrame?, length: Int) {
    isVolumeFading = false
    guard let k else { return volume.reset(to: gain) }
    volume.ramp(to: gain, at: k, length: length)
  }

  /// The same by a fade, which waits where `k` is nil until something is heard.
  mutating func fadeVolume(to gain: Float, at k: StreamFrame?, length: Int) {
    isVolumeFading = true
    volume.ramp(to: gain, at: k ?? heldFrom, length: length)
  }
}
