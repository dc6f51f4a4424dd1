// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// A gain for the content of a line from a timeline frame on, up to the next part of it.
struct ContentGain: Sendable {
  let key: ContentKey
  /// The timeline frame of its first frame.
  let media: TimelineFrame
  let factor: Float
  /// What the factor is multiplied by; nil for 1 throughout.
  var volume: VolumeCurve?
  /// The timeline's time at which that has its zero.
  var zero = RationalTime.zero
}

/// The same with the exact time of its first frame, whatever the rate of frames.
struct ContentPart: Sendable {
  let key: ContentKey
  /// When its first frame is heard.
  let begin: RationalTime
  let factor: Float
  let volume: VolumeCurve?
  let zero: RationalTime

  /// The same where a second has `rate` timeline frames.
  func gain(at rate: Int) -> ContentGain {
    ContentGain(
      key: key, media: begin.timelineFrame(at: rate), factor: factor, volume: volume, zero: zero)
  }
}
