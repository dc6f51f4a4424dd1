// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Preconditions

/// End of playing for someone who falls asleep, with a fade before it.
public struct SleepTimer: Hashable, Sendable {
  /// Place or moment at which playing ends.
  public enum End: Hashable, Sendable {
    /// The moment that comes this long after the timer is set, in real time, paused or not.
    case after(MediaTime)
    /// The end of the chapter that is heard, or of the item where that has none.
    case chapter
    /// The end of so many items, the current one being the first.
    case items(Int)

    /// The end of the current item.
    public static var item: End { .items(1) }
  }

  /// Place or moment at which playing ends.
  public let end: End
  /// Length of the fade before the end; zero for none.
  ///
  /// In media time before the end of a chapter or an item, and not longer than what is played of the item; in real
  /// time, and over as many items as it takes, before a moment.
  public let fade: MediaTime

  /// A timer.
  ///
  /// - Precondition: Numbers of items are positive, times numeric and not negative.
  public init(_ end: End, fade: MediaTime = .zero) {
    switch end {
    case .after(let time):
      require(
        time.isNumeric && time >= .zero,
        "a sleep timer of \(time); numbers from zero on are permitted")
    case .items(let count):
      require(count > 0, "a sleep timer of \(count) items; 1 and more are permitted")
    case .chapter: break
    }
    require(
      fade.isNumeric && fade >= .zero,
      "a fade of \(fade) before sleep; numbers from zero on are permitted")
    (self.end, self.fade) = (end, fade)
  }
}
