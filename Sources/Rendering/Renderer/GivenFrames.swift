// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Frames that the output has other than the line: the silence behind an end or a pause, what it had before an
/// underrun, and what was added where it has silence.
struct GivenFrames {
  /// The output has been given silence behind the end.
  var hasPadded = false
  /// The stream frame at which the last pause is silent: a start before it would cut it short.
  var silentFrom = StreamFrame.min
  /// The end of what the output had been given at the last underrun: it may have some of that still to read.
  var underrunEnd = StreamFrame.min
  /// The stream frame at which what was added begins where the output has silence, until it is given that.
  private(set) var filledFrom: StreamFrame?

  /// The first frame from `k` on that the line can change: behind what is still to be heard of a pause, or
  /// was given before an underrun, neither of which the line holds any more.
  ///
  /// An output that expects to run dry has not always read what it has: what began before its end took the
  /// place of 6,720 frames. A volume set right behind a pause that was taken back cut the fade out short.
  func changeable(from k: StreamFrame) -> StreamFrame { max(k, silentFrom, underrunEnd) }

  /// Content was added from `begin` on, where the output has silence.
  mutating func fill(from begin: StreamFrame) { filledFrom = min(filledFrom ?? begin, begin) }

  /// Takes the first frame that was added, which the output is given now.
  ///
  /// - Returns: the frame at which it begins; nil where nothing was.
  mutating func takeFilled() -> StreamFrame? {
    defer { filledFrom = nil }
    return filledFrom
  }

  /// A start gives the output all there is.
  mutating func start() { (hasPadded, filledFrom) = (false, nil) }

  /// Nothing that was added is to be given any more.
  mutating func forgetFilled() { filledFrom = nil }

  /// The device has been given nothing yet, but what a line has that goes on.
  mutating func restart() { (hasPadded, underrunEnd) = (false, .min) }

  /// Another device has been given nothing at all.
  mutating func replaceDevice() { (hasPadded, silentFrom, underrunEnd) = (false, .min, .min) }
}
