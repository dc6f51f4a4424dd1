// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Preconditions

/// The distance that listening goes back after a pause, so that one finds into it again.
///
/// A pause shorter than `shortest` goes back nothing; a longer one a thirtieth of its length, up to `most`: 2 s after a
/// minute, 20 s after ten.
public struct SmartRewind: Hashable, Sendable {
  /// The shortest pause that goes back, in seconds of real time.
  public let shortest: Double
  /// The most that is gone back, in media time.
  public let most: MediaTime

  /// 10 s of pause, and 20 s at most.
  public static let standard = SmartRewind()

  /// Nothing after any pause.
  public static let none = SmartRewind(most: .zero)

  /// Goes back after pauses of `shortest` seconds and more, by `most` at most.
  ///
  /// - Precondition: `shortest` is not negative, `most` is numeric and not negative.
  public init(shortest: Double = 10, most: MediaTime = MediaTime(value: 20, timescale: 1)) {
    require(shortest >= 0, "a shortest pause of \(shortest) s; 0 and more are permitted")
    require(
      most.isNumeric && most >= .zero,
      "going back by \(most) at most; a numeric time, zero or more, is permitted")
    (self.shortest, self.most) = (shortest, most)
  }

  /// The distance after a pause of so many seconds; never negative.
  public func distance(afterPause seconds: Double) -> MediaTime {
    guard seconds >= shortest else { return .zero }
    // A pause of years, in milliseconds, fits.
    let part = MediaTime(value: Int64(min(seconds, 1e9) * 1_000 / 30), timescale: 1_000)
    return min(part, most)
  }
}
