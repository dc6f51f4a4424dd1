// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The motion that a bus' device was told, and what it has of the sum.
///
/// A pure state machine, in stream frames that the device has told.
struct DeliveredSum: Equatable {
  /// Motion that the device was told last.
  private(set) var transport = BusLane.Transport.stopped
  /// Stream frame up to which the device was told to take something.
  private(set) var end: StreamFrame = 0
  /// First frame of the sum that the device has otherwise than it should be; `.max` for none.
  private(set) var changedFrom = StreamFrame.max
  /// First frame that the device has otherwise than it should be, of the same sum; `.max` for none.
  private(set) var changedOutputFrom = StreamFrame.max

  /// True where the device has anything otherwise than it should be.
  var isOutdated: Bool { changedFrom < .max || changedOutputFrom < .max }

  /// The sum is another one from `frame` on.
  mutating func sumChanged(from frame: StreamFrame) { changedFrom = min(changedFrom, frame) }

  /// The output that is made of the sum is another one from `frame` on.
  mutating func outputChanged(from frame: StreamFrame) {
    changedOutputFrom = min(changedOutputFrom, frame)
  }

  /// The device has the sum, and what is made of it, as it is up to frame `last`.
  mutating func delivered(upTo last: StreamFrame) {
    (end, changedFrom, changedOutputFrom) = (last, .max, .max)
  }

  /// The voices together wish for a motion, while the device reads frame `read` next.
  ///
  /// - Returns: whether the device is to start, and the frame after which it is to stop, if it is.
  mutating func follow(
    _ wished: BusLane.Transport, read: StreamFrame
  ) -> (starts: Bool, stopAfter: StreamFrame?) {
    let old = transport
    switch wished {
    case .running:
      transport = .running
      return (old != .running, nil)
    case .stopping(let frame):
      transport = wished
      return (old == .stopped, old != wished ? frame : nil)
    case .stopped:
      guard old == .running else { return (false, nil) }
      transport = .stopping(after: read)
      return (false, read)
    }
  }

  /// The device has stopped.
  mutating func stopped() { transport = .stopped }
}
