// SPDX-License-Identifier: Apache-2.0

/// Frames that times of the stream stand for, counted from the first one decoded.
struct FrameTimes: Equatable {
  /// The exactness with which times tell frames.
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
    // Days of ticks of nanoseconds do not fit in 64 bits, nor does what a damaged file says.
    let ticks = (Int128(time) - Int128(first)) * Int128(numerator) * Int128(sampleRate)
    let number = Int64(clamping: (ticks + Int128(denominator / 2)) / Int128(denominator))
    guard number.magnitude < 1 << 60 else { return nil }
    switch exactness {
    case .frame: return number
    case .packet(let grid): return (number + Int64(grid) / 2) / Int64(grid) * Int64(grid)
    case .none: return nil
    }
  }

  /// A time at or before that of frame number `frame`.
  func time(of frame: Int64) -> Int64 {
    let ticks = Int128(frame) * Int128(denominator) / Int128(sampleRate * numerator)
    // A tick less: times may be rounded up.
    return Int64(clamping: Int128(first) + max(0, ticks - 1))
  }
}
