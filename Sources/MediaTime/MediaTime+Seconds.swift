// SPDX-License-Identifier: Apache-2.0

extension MediaTime {
  /// `seconds` at `preferredTimescale`, cut off toward zero as CMTime does: 0.5 at 1 is 0.
  ///
  /// The result is marked as rounded if its `seconds` are not the given ones. Not-a-number gives a
  /// rounded 0, an infinity an infinity. If the value does not fit 64 bits the timescale is halved
  /// until it does; if it does not fit at 1 either, the result is an infinity. A timescale that is
  /// not positive gives the invalid time.
  /// Corresponds to `CMTimeMakeWithSeconds`.
  public init(seconds: Double, preferredTimescale: Int32) {
    guard preferredTimescale > 0 else {
      self = .invalid
      return
    }
    guard !seconds.isNaN else {
      self.init(
        value: 0, timescale: preferredTimescale, flags: [.valid, .hasBeenRounded], epoch: 0)
      return
    }
    var timescale = preferredTimescale
    while true {
      // The product in double, as in C, so that 0.3 at 10 is 3 although 0.3 is a little less.
      let product = seconds * Double(timescale)
      if product >= -0x1p63, product < 0x1p63 {
        self.init(value: Int64(product), timescale: timescale)
        if self.seconds != seconds { flags.insert(.hasBeenRounded) }
        return
      }
      guard timescale > 1, seconds.isFinite else {
        self = .infinity(negative: seconds < 0)
        return
      }
      timescale /= 2
    }
  }

  /// The time in seconds, for display; not-a-number if the time is invalid or indefinite.
  ///
  /// The epoch is ignored. Corresponds to `CMTimeGetSeconds`.
  public var seconds: Double {
    switch kind {
    case .numeric: Double(value) / Double(timescale)
    case .positiveInfinity: .infinity
    case .negativeInfinity: -.infinity
    case .indefinite, .invalid: .nan
    }
  }
}
