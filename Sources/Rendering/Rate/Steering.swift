// SPDX-License-Identifier: Apache-2.0

/// The amount by which a renderer is played faster or slower than its rate, so that it stays where another one
/// is, whose device's clock runs differently.
///
/// A pure value. From one look to the next, *off* grows by what the clocks differ in less the
/// correction: so both are known, and what is off is made good until the look after.
struct Steering {
  /// No more than this is asked of an ear: 1/1000, or 1.7 cents.
  private static let most = 0.001
  /// Seconds beyond which nothing is made good: it starts anew where the other one is.
  static let lost = 0.05
  /// Looks that are closer than this, in seconds of media time, tell too little of the clocks.
  private static let shortest = 1.0

  /// Added to the rate, as a part of it.
  private(set) var correction = 0.0
  private var last: (off: Double, time: Double)?
  private var lostAt: Double?

  /// Begins anew.
  ///
  /// A jump tells nothing of the clocks; what is known of them is kept.
  mutating func forget() { (last, lostAt) = (nil, nil) }

  /// Takes note that this renderer is not where the other one is at `time`, and cannot be steered there.
  ///
  /// - Returns: whether it was so at the last look too: its device was away, or it ran out of frames.
  mutating func isLost(time: Double) -> Bool {
    last = nil
    guard let lostAt else {
      self.lostAt = time
      return false
    }
    return time - lostAt >= Self.shortest
  }

  /// Takes note that this renderer is `off` seconds behind at media time `time`, and is to be there in
  /// `interval`; `step` is the least change of the rate that can be made.
  mutating func look(off: Double, time: Double, interval: Double, step: Double) {
    lostAt = nil
    guard let last else { return self.last = (off, time) }
    let passed = time - last.time
    guard passed >= Self.shortest else { return }
    self.last = (off, time)
    let difference = correction + (off - last.off) / passed
    let wanted = min(max(difference + off / interval, -Self.most), Self.most)
    correction = (wanted / step).rounded() * step
  }
}
