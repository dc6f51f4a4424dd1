// SPDX-License-Identifier: Apache-2.0

/// Line of stream frames over the host times at which they are heard, as far as one `DeviceClock` knows.
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

  /// Runs from `frame` at `start` to `bendFrame` at `bend`, then at `rate` frames a nanosecond; stands
  /// still at `frame` where that is no way forward, as it is not for what a server may say.
  init(from frame: Double, at start: UInt64, to bendFrame: Double, at bend: UInt64, rate: Double) {
    let advances = bend > start && bendFrame > frame && rate > 0
    (self.start, startFrame) = (start, frame)
    catchUpRate = advances ? (bendFrame - frame) / Double(bend - start) : 0
    (self.bend, self.bendFrame, self.rate) = (bend, bendFrame, advances ? rate : 0)
  }

  /// True where frames are being heard.
  public var isRunning: Bool { rate > 0 }

  /// The stream frame that is heard at `hostTime`, in nanoseconds of `HostTime`.
  ///
  /// Rises with `hostTime`, or stays the same while frozen; 2^62 either way is the most it tells. Neither
  /// allocates nor locks.
  public func heardFrame(atHostTime hostTime: UInt64) -> Int64 {
    let frame = position(atHostTime: hostTime).rounded(.down)
    if frame >= 0x1p62 { return 1 << 62 }
    return frame <= -0x1p62 ? -(1 << 62) : Int64(frame)
  }

  /// The time at which `frame` is heard, in `HostTime`'s nanoseconds, 0 and `UInt64.max` where that is out of their
  /// range; `nil` while frozen.
  public func hostTime(ofFrame frame: Int64) -> UInt64? {
    guard isRunning else { return nil }
    let frame = Double(frame)
    let time =
      frame < bendFrame
      ? Double(start) + (frame - startFrame) / catchUpRate
      : Double(bend) + (frame - bendFrame) / rate
    return time >= 0x1p64 ? .max : UInt64(max(time, 0).rounded())
  }

  /// As `heardFrame`, with the part of a frame that has been heard.
  func position(atHostTime hostTime: UInt64) -> Double {
    guard isRunning else { return startFrame }
    if hostTime >= bend { return bendFrame + Double(hostTime - bend) * rate }
    return hostTime >= start
      ? startFrame + Double(hostTime - start) * catchUpRate
      : startFrame - Double(start - hostTime) * catchUpRate
  }
}
