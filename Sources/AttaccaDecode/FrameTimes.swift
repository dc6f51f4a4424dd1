// SPDX-License-Identifier: Apache-2.0

/// Which frame a time of the stream stands for, counted from the first one decoded.
struct FrameTimes: Equatable {
  /// How exactly times tell frames.
  enum Exactness: Equatable {
    /// To the frame.
    case frame
    /// To a multiple of so many frames: the times are too coarse, but all packets are of that length.
    case packet(Int)
    /// Not at all: who looks for a frame decodes from the start.
    case none
  }

  /// Seconds of a tick: `numerator / denominator`.
  let numerator: Int64
  let denominator: Int64
  let sampleRate: Int64
  /// Of the first frame.
  let first: Int64
  let exactness: Exactness

  /// `grid` is the frames that the lengths of all packets are multiples of; nil where there are none.
  init(numerator: Int64, denominator: Int64, sampleRate: Int, first: Int64, grid: Int?) {
    (self.numerator, self.denominator) = (max(1, numerator), max(1, denominator))
    (self.sampleRate, self.first) = (Int64(sampleRate), first)
    let (perTick, rest) = (self.numerator * self.sampleRate).quotientAndRemainder(
      dividingBy: self.denominator)
    // A tick of several frames is rounded, where packets do not all begin with one.
    if perTick == 0 || rest == 0 && (perTick == 1 || grid.map { $0 % Int(perTick) == 0 } == true) {
      exactness = .frame
    } else if let grid, Int64(grid) > 2 * (perTick + 1) {
      // A time is rounded, or cut off: it may be a whole tick away.
      exactness = .packet(grid)
    } else {
      exactness = .none
    }
  }

  /// The number of the frame at `time`; nil where that cannot be told.
  func frame(at time: Int64) -> Int64? {
    let (ticks, over) = time.subtractingReportingOverflow(first)
    guard !over, ticks.magnitude < 1 << 62 / UInt64(numerator) else { return nil }
    let wide = (ticks * numerator).multipliedFullWidth(by: sampleRate)
    // Days of ticks of nanoseconds do not fit in 64 bits.
    let quotient = denominator.dividingFullWidth(
      half(of: denominator, addedTo: wide)
    ).quotient
    switch exactness {
    case .frame: return quotient
    case .packet(let grid): return (quotient + Int64(grid) / 2) / Int64(grid) * Int64(grid)
    case .none: return nil
    }
  }

  /// A time at or before that of frame number `frame`.
  func time(of frame: Int64) -> Int64 {
    let wide = frame.multipliedFullWidth(by: denominator)
    let divisor = sampleRate * numerator
    // A tick less: times may be rounded up.
    return first + max(0, divisor.dividingFullWidth(wide).quotient - 1)
  }

  private func half(
    of number: Int64, addedTo wide: (high: Int64, low: UInt64)
  ) -> (high: Int64, low: UInt64) {
    let (low, carry) = wide.low.addingReportingOverflow(UInt64(number / 2))
    return (wide.high + (carry ? 1 : 0), low)
  }
}
