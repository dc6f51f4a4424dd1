// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// How much the sound server is given ahead, and how often it asks for more.
///
/// It decides how often the process wakes and how long it may be held up without an underrun.
/// It does not decide how soon a change is heard: that is milliseconds with each of them.
public struct Latency: Hashable, Sendable {
  /// The server's buffer (PulseAudio's `tlength`), in milliseconds.
  public let targetMilliseconds: Int
  /// How much the server lets run out before it asks (PulseAudio's `minreq`), in milliseconds.
  public let requestMilliseconds: Int

  /// - Precondition: 1 ≤ `requestMilliseconds` ≤ `targetMilliseconds` ≤ 10,000.
  public init(targetMilliseconds: Int, requestMilliseconds: Int) {
    require(
      1 <= requestMilliseconds && requestMilliseconds <= targetMilliseconds
        && targetMilliseconds <= 10_000,
      "a latency of \(targetMilliseconds) ms asked for every \(requestMilliseconds) ms; 1...10000 are permitted, asked for at most so often"
    )
    self.targetMilliseconds = targetMilliseconds
    self.requestMilliseconds = requestMilliseconds
  }

  /// Two seconds, two wakeups a second.
  public static let powerSaving = Latency(targetMilliseconds: 2_000, requestMilliseconds: 500)
  /// Half a second, eight wakeups a second.
  public static let balanced = Latency(targetMilliseconds: 500, requestMilliseconds: 125)
  /// 60 ms, 67 wakeups a second: for machines where even a late rewrite must not last.
  public static let low = Latency(targetMilliseconds: 60, requestMilliseconds: 15)
}
