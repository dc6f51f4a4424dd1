// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// Which stream frame is heard at which host time, as far as one `DeviceClock` knows.
///
/// Numbers only, so that it can be handed to any thread. It starts where the line before it was,
/// catches up with the estimate until `bend`, and follows it from there on.
public struct ClockLine: Hashable, Sendable {
  private let start: UInt64
  private let startFrame: Double
  /// Frames a nanosecond before `bend`, 0 while frozen.
  private let catchUpRate: Double
  private let bend: UInt64
  private let bendFrame: Double
  /// Frames a nanosecond from `bend` on, 0 while frozen.
  private let rate: Double

  /// Stands still at `frame`.
  init(frozenAt frame: Double) {
    (start, startFrame, catchUpRate) = (0, frame, 0)
    (bend, bendFrame, rate) = (0, frame, 0)
  }

  /// Runs from `frame` at `start` to `bendFrame` at `bend`, then at `rate` frames a nanosecond.
  init(from frame: Double, at start: UInt64, to bendFrame: Double, at bend: UInt64, rate: Double) {
    require(bend > start && bendFrame > frame && rate > 0, "a clock that does not advance")
    (self.start, startFrame) = (start, frame)
    catchUpRate = (bendFrame - frame) / Double(bend - start)
    (self.bend, self.bendFrame, self.rate) = (bend, bendFrame, rate)
  }

  /// Whether frames are being heard.
  public var isRunning: Bool { rate > 0 }

  /// The stream frame that is heard at `hostTime`, in nanoseconds of `HostTime`.
  ///
  /// Rises with `hostTime`, or stays the same while frozen. Neither allocates nor locks.
  public func heardFrame(atHostTime hostTime: UInt64) -> Int64 {
    Int64(position(atHostTime: hostTime).rounded(.down))
  }

  /// When `frame` is heard, in nanoseconds of `HostTime`; `nil` while frozen.
  public func hostTime(ofFrame frame: Int64) -> UInt64? {
    guard isRunning else { return nil }
    let frame = Double(frame)
    let time =
      frame < bendFrame
      ? Double(signed(start)) + (frame - startFrame) / catchUpRate
      : Double(signed(bend)) + (frame - bendFrame) / rate
    return UInt64(max(time, 0).rounded())
  }

  /// As `heardFrame`, with the part of a frame that has been heard.
  func position(atHostTime hostTime: UInt64) -> Double {
    guard isRunning else { return startFrame }
    return hostTime < bend
      ? startFrame + Double(signed(hostTime) - signed(start)) * catchUpRate
      : bendFrame + Double(hostTime - bend) * rate
  }

  /// Host times are below 2⁶³ for 292 years after boot.
  private func signed(_ hostTime: UInt64) -> Int64 { Int64(hostTime) }
}
