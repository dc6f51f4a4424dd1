// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Starts of a renderer: the one that waits for its host time, what any has to wait for, and the last.
struct RendererStarts {
  /// The content that has to lie ahead before a start takes place.
  var condition = StartCondition()
  /// The start that waits for its host time; nil where none does.
  private(set) var scheduled: ScheduledStart?
  /// The number of the last one that waited for its host time.
  private var lastNumber = 0
  /// The stream frame at which the last of those was placed.
  private(set) var placed = StreamFrame.min
  /// The fade of the last start, in frames; a stall ends with the same.
  var fade: Int

  /// No start, and `fade` for a line that goes on by itself.
  init(fade: Int) { self.fade = fade }

  /// Media time is to run from a host time on.
  mutating func schedule(atHostTime hostTime: UInt64, fade: Int) {
    lastNumber += 1
    scheduled = ScheduledStart(number: lastNumber, hostTime: hostTime, fade: fade)
  }

  /// The device is given silence up to `frame` before the start, where one waits.
  mutating func holdSilence(upTo frame: StreamFrame) { scheduled?.silentUpTo = frame }

  /// Another device begins at `frame`: where the old one was given silence already, that is from there on.
  mutating func restartSilence(at frame: StreamFrame) {
    if scheduled?.silentUpTo != nil { scheduled?.silentUpTo = frame }
  }

  /// Something else is asked for than the start that waits.
  ///
  /// - Returns: that start; nil where none waits.
  mutating func cancel() -> ScheduledStart? {
    defer { scheduled = nil }
    return scheduled
  }

  /// The start that waits is put at `frame`.
  mutating func place(at frame: StreamFrame) {
    guard let start = scheduled else { return }
    scheduled = nil
    fade = start.fade
    placed = frame
  }
}
