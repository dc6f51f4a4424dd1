// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Synchronization

/// The clock of an output that is pulled: its time is what has been pulled.
final class PulledClock: OutputClock {
  private let rate: Int
  private let pulled = Atomic<Int64>(0)
  /// The host time that frame 0 counts as heard at.
  let epoch = HostTime.now()

  /// A clock of `rate` frames a second that stands at frame 0.
  init(rate: Int) { self.rate = rate }

  /// The frame that is pulled next; set by one thread at a time.
  var position: StreamFrame {
    get { StreamFrame(pulled.load(ordering: .relaxed)) }
    set { pulled.store(newValue.number, ordering: .relaxed) }
  }

  func heardFrame(atHostTime hostTime: UInt64) -> StreamFrame { position }

  func expectedFrame(atHostTime hostTime: UInt64) -> StreamFrame? {
    let distance = (Int128(hostTime) - Int128(epoch)) * Int128(rate)
    let (frame, rest) = distance.quotientAndRemainder(dividingBy: 1_000_000_000)
    return StreamFrame(Int64(clamping: rest < 0 ? frame - 1 : frame))
  }

  func hostTime(ofFrame frame: StreamFrame) -> UInt64? { nil }

  var isExact: Bool { true }

  var drift: Double? { nil }
}
