// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// A move of the stream to another device, as the server told it.
struct ServerMove {
  /// The frame that was certainly heard then.
  var heard: StreamFrame = 0
  /// The frame that the clock showed then.
  var shown: StreamFrame = 0
  /// Nanoseconds of `HostTime`.
  var hostTime: UInt64 = 0

  /// The last frame that can have been heard on PipeWire since, for some seconds from then on.
  ///
  /// It reads 16 quanta at once of a stream that it links to a sink of another format, plays them in time,
  /// and drops what is left when another stream takes over: 33,000 frames were heard by nobody.
  func mostHeard(atHostTime now: UInt64, sampleRate: Int) -> StreamFrame {
    let since = now - hostTime
    guard since < 3_000_000_000 else { return .max }
    return shown + Int64(since) * Int64(sampleRate) / 1_000_000_000
  }
}
