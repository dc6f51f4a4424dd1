// SPDX-License-Identifier: Apache-2.0

/// How long the crossfade over a splice is.
public struct Fade: Hashable, Sendable {
  /// Milliseconds, 0 for a hard, sample-exact joint.
  public let milliseconds: Int

  /// - Precondition: `milliseconds` is in 0...1,000.
  public init(milliseconds: Int) {
    precondition((0...1_000).contains(milliseconds), "a fade of \(milliseconds) ms")
    self.milliseconds = milliseconds
  }

  /// 5 ms: too short to be heard as a fade, long enough that nothing clicks.
  public static let standard = Fade(milliseconds: 5)
  /// A hard joint.
  public static let none = Fade(milliseconds: 0)

  /// The fade's length at `rate` frames per second.
  func frames(at rate: Int) -> Int { milliseconds * rate / 1_000 }
}
