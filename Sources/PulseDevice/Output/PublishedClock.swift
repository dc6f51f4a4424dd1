// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio
import Rendering

/// A device's clock, for any thread to read without a lock.
final class PublishedClock: Sendable {
  /// A clock that holds where it is not known to be right.
  struct Reading: Hashable {
    /// Stream frames over the host times at which they are heard.
    var line: ClockLine
    /// The clock does not show less: it has shown this before the device was lost.
    var shownUpTo: StreamFrame
    /// From this host time on the server has been silent for so long that the clock holds.
    var trustedUntil: UInt64

    func heardFrame(atHostTime hostTime: UInt64) -> StreamFrame {
      max(shownUpTo, line.heard(atHostTime: min(hostTime, trustedUntil)))
    }

    /// nil while the clock holds.
    func hostTime(ofFrame frame: StreamFrame, now: UInt64) -> UInt64? {
      now < trustedUntil ? line.hostTime(of: frame) : nil
    }
  }

  // A plain value of eight words, of the same size and without references.
  private typealias Words = InlineArray<8, UInt64>
  private let words = SeqLock(count: 8)

  init(_ reading: Reading) { publish(reading) }

  /// Writers hold the output's lock.
  func publish(_ reading: Reading) {
    let words = unsafeBitCast(reading, to: Words.self)
    self.words.write { words[$0] }
  }

  /// Returns the reading that was published last.
  func read() -> Reading {
    var words = Words(repeating: 0)
    self.words.read { words[$0] = $1 }
    return unsafeBitCast(words, to: Reading.self)
  }
}
