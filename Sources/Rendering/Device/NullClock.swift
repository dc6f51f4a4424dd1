// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The clock of an output without a device: the host's, from where it was set going.
final class NullClock: OutputClock {
  private let rate: Int
  /// Frame, the host time at which it was due, and 1 where the clock runs.
  private let published = SeqLock(count: 3)

  /// A clock of `rate` frames a second that stands at frame 0.
  init(rate: Int) { self.rate = rate }

  /// Shows `frame` at `hostTime`, and goes on from there where it `isRunning`; for one thread at a time.
  func publish(_ frame: StreamFrame, _ hostTime: UInt64, isRunning: Bool) {
    published.write { [UInt64(frame.number), hostTime, isRunning ? 1 : 0][$0] }
  }

  private func read() -> (frame: StreamFrame, hostTime: UInt64, isRunning: Bool) {
    var words = InlineArray<3, UInt64>(repeating: 0)
    published.read { words[$0] = $1 }
    return (StreamFrame(Int64(words[0])), words[1], words[2] == 1)
  }

  func heardFrame(atHostTime now: UInt64) -> StreamFrame {
    let (frame, start, isRunning) = read()
    guard isRunning, now > start else { return frame }
    return frame + frames(inNanoseconds: now - start)
  }

  func expectedFrame(atHostTime hostTime: UInt64) -> StreamFrame? {
    let (frame, start, isRunning) = read()
    guard isRunning else { return nil }
    return hostTime >= start
      ? frame + frames(inNanoseconds: hostTime - start)
      : frame - frames(inNanoseconds: start - hostTime)
  }

  func hostTime(ofFrame frame: StreamFrame) -> UInt64? {
    let (first, start, isRunning) = read()
    guard isRunning else { return nil }
    let distance = Int128(frame - first) * 1_000_000_000 / Int128(rate)
    return UInt64(clamping: Int128(start) + distance)
  }

  var isExact: Bool { true }

  var drift: Double? { 0 }

  private func frames(inNanoseconds time: UInt64) -> Int64 {
    Int64(UInt128(time) * UInt128(rate) / 1_000_000_000)
  }
}
