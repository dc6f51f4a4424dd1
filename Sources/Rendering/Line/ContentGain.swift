// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// A gain for the content of a line from a timeline frame on, up to the next part of it.
package struct ContentGain: Sendable {
  let key: ContentKey
  /// The timeline frame of its first frame.
  let media: TimelineFrame
  let factor: Float
  /// Volume that the factor is multiplied by; nil for 1 throughout.
  var volume: VolumeCurve?
  /// The timeline's time at which that has its zero.
  var zero = RationalTime.zero

  /// A gain of `factor`, which is multiplied by `volume`, from timeline frame `media` on.
  package init(
    key: ContentKey, media: TimelineFrame, factor: Float, volume: VolumeCurve? = nil,
    zero: RationalTime = .zero
  ) {
    (self.key, self.media, self.factor) = (key, media, factor)
    (self.volume, self.zero) = (volume, zero)
  }
}

/// A content gain with the exact time of its first frame, whatever the rate of frames.
package struct ContentPart: Sendable {
  let key: ContentKey
  /// Time at which its first frame is heard.
  let begin: RationalTime
  let factor: Float
  let volume: VolumeCurve?
  let zero: RationalTime

  /// A gain of `factor`, which is multiplied by `volume`, from the time `begin` on.
  package init(
    key: ContentKey, begin: RationalTime, factor: Float, volume: VolumeCurve?, zero: RationalTime
  ) {
    (self.key, self.begin, self.factor) = (key, begin, factor)
    (self.volume, self.zero) = (volume, zero)
  }

  /// The same where a second has `rate` timeline frames.
  func gain(at rate: Int) -> ContentGain {
    ContentGain(
      key: key, media: begin.timelineFrame(at: rate), factor: factor, volume: volume, zero: zero)
  }
}
