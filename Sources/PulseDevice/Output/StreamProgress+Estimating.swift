// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio

extension StreamProgress {
  /// The frame that the server reads next at host time `now`, as far as is known.
  ///
  /// - Parameters:
  ///   - now: Host time in nanoseconds.
  ///   - state: The output's state; with a stream.
  ///   - facts: The stream's facts.
  ///   - isDry: Whether the server has told that it had nothing, and not yet where it is: what is written now may
  ///     be behind it. 18,722 frames of a start on a busy machine were not heard.
  ///   - heard: The frame heard then, by the reports; nil without a report.
  /// - Returns: that frame.
  func estimatedRead(
    at now: UInt64, _ state: PulseDeviceState, _ facts: StreamFacts, isDry: Bool,
    heard: StreamFrame?
  ) -> StreamFrame {
    guard state.isRunning else { return read }
    if isDry { return max(read, facts.next + 1) }
    guard let heard else {
      // No report has come since the start. The sink has read no more than has passed since, and a block.
      guard let uncorked = state.uncorked else { return read }
      return read + Int64(now - uncorked) * Int64(facts.sampleRate) / 1_000_000_000
    }
    return max(read, heard + ahead)
  }

  /// The frame from which on another stream plays, once the present one has stopped for it.
  ///
  /// - Parameters:
  ///   - end: The frame before which the present one has played all for certain; nil where it did not tell.
  ///   - due: The frames that it was to play again, if it was.
  /// - Returns: that frame.
  func firstFrameOfNext(end: StreamFrame?, due: StreamRewind?) -> StreamFrame {
    min(end ?? heard, due?.frame ?? .max)
  }
}
