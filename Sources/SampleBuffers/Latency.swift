// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// Amount of audio that the sound server holds, and how often it asks for more.
///
/// Three things follow from the two numbers. The process wakes once for each request, and
/// once more between two that are further apart than half a second. The process may be
/// held up for about `targetMilliseconds - requestMilliseconds` without an underrun. And the device takes
/// its frames in blocks of `blockMilliseconds` at most, which no edit can take back: a seek, a pause or
/// another volume is heard within a block, half of one on average. Short blocks cost the server
/// wakeups, not this process.
///
/// Another stream on the same device may make its blocks shorter, never longer.
public struct Latency: Hashable, Sendable {
  /// The server's buffer (PulseAudio's `tlength`), in milliseconds.
  public let targetMilliseconds: Int
  /// Length that the server lets run out before it asks (PulseAudio's `minreq`), in milliseconds.
  public let requestMilliseconds: Int

  /// A buffer of `targetMilliseconds`, filled whenever `requestMilliseconds` of it have run out.
  ///
  /// - Precondition: `requestMilliseconds` is 1 or more, twice of it `targetMilliseconds` at most, and
  ///   that 10,000 at most.
  public init(targetMilliseconds: Int, requestMilliseconds: Int) {
    require(
      1 <= requestMilliseconds && 2 * requestMilliseconds <= targetMilliseconds
        && targetMilliseconds <= 10_000,
      """
      a latency of \(targetMilliseconds) ms asked for every \(requestMilliseconds) ms: requests are 1 ms \
      or more, and half of a target of 10,000 ms at most
      """)
    self.targetMilliseconds = targetMilliseconds
    self.requestMilliseconds = requestMilliseconds
  }

  /// Longest block that the device takes at a time, in milliseconds: half of what is left of the target
  /// beside two requests, by the server's rule for `PA_STREAM_ADJUST_LATENCY`.
  ///
  /// A device that cannot take so little takes longer ones: Bluetooth, and some sound cards.
  public var blockMilliseconds: Int { (targetMilliseconds - 2 * requestMilliseconds) / 2 }

  /// Two seconds, two wakeups a second, blocks of 4 ms: the default.
  ///
  /// For what a person plays and touches.
  public static let responsive = Latency(targetMilliseconds: 2_000, requestMilliseconds: 996)
  /// Two seconds, two wakeups a second, blocks of 50 ms.
  ///
  /// For what plays for hours and nobody touches: the blocks wake the server a twelfth as often.
  public static let powerSaving = Latency(targetMilliseconds: 2_000, requestMilliseconds: 950)
  /// Half a second, four wakeups a second, blocks of 4 ms.
  ///
  /// For a quarter of the memory.
  public static let balanced = Latency(targetMilliseconds: 500, requestMilliseconds: 246)
  /// 60 ms, 43 wakeups a second, blocks of 7 ms.
  ///
  /// For machines where even a late rewrite must not last.
  public static let low = Latency(targetMilliseconds: 60, requestMilliseconds: 23)
}
