// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// The length of the crossfade over a splice.
public struct Fade: Hashable, Sendable {
  /// Milliseconds, 0...1,000; 0 for a hard, sample-exact joint.
  public let milliseconds: Int

  /// A fade of `milliseconds`, of 1,000 where it is more: longer ones are the volume's.
  ///
  /// - Precondition: `milliseconds` is not negative.
  public init(milliseconds: Int) {
    require(milliseconds >= 0, "a fade of \(milliseconds) ms; 0...1000 are permitted")
    self.milliseconds = min(milliseconds, 1_000)
  }

  /// 5 ms: too short to be heard as a fade, long enough that nothing clicks.
  public static let standard = Fade(milliseconds: 5)
  /// A hard joint.
  public static let none = Fade(milliseconds: 0)

  /// The fade's length at `rate` frames per second.
  func frames(at rate: Int) -> Int { milliseconds * rate / 1_000 }
}
