// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// A source's answer that its next frames are not there yet.
public struct SourceWait: Hashable, Sendable {
  /// The cause for people, as in "buffering"; empty for none.
  public let reason: String
  /// Milliseconds after which it is asked again.
  public let milliseconds: Int

  /// A wait for `reason`.
  ///
  /// - Precondition: `milliseconds` is in 1...60,000.
  public init(_ reason: String = "", askAfterMilliseconds milliseconds: Int = 50) {
    require(
      1...60_000 ~= milliseconds,
      "a source asked again after \(milliseconds) ms; 1 to 60,000 are permitted")
    (self.reason, self.milliseconds) = (reason, milliseconds)
  }
}

/// A read found a source waiting.
package struct SourceIsWaiting: Error {
  /// The wait as the source tells it.
  package let wait: SourceWait

  /// The error of a read that found nothing yet.
  package init(wait: SourceWait) { self.wait = wait }
}
