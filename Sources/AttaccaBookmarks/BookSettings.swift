// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Preconditions

/// The way in which a book is listened to: a folder of files, a list, or one file.
public struct BookSettings: Hashable, Sendable {
  /// The speed, 1 being the natural one; nil where none is remembered.
  public let rate: Double?
  /// Time that is left out at the beginning of each item.
  public let intro: MediaTime
  /// Time that is left out at the end of each item.
  public let outro: MediaTime

  /// A speed, and what is left out of each item.
  ///
  /// - Precondition: `rate` is finite and above zero, the times numeric and not negative.
  public init(rate: Double? = nil, intro: MediaTime = .zero, outro: MediaTime = .zero) {
    if let rate {
      require(
        rate.isFinite && rate > 0, "a book's rate of \(rate); finite ones above 0 are permitted")
    }
    for (name, time) in [("intro", intro), ("outro", outro)] {
      require(
        time.isNumeric && time >= .zero,
        "an \(name) of \(time); numeric times from zero on are permitted")
    }
    (self.rate, self.intro, self.outro) = (rate, intro, outro)
  }
}
