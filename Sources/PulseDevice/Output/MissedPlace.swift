// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The first frame that a server has done without, and how often one was since within 100 ms of it.
struct MissedPlace {
  private var frame = StreamFrame(.min / 2)
  private var count = 0

  /// The server has done without frame `frame`.
  ///
  /// - Returns: whether that is worth another try: where the server comes no further, as on a machine that is too
  ///   busy, a gap is all that can be had.
  mutating func missed(_ frame: StreamFrame, sampleRate: Int) -> Bool {
    let isStuck = frame - self.frame < Int64(sampleRate / 10)
    count = isStuck ? count + 1 : 0
    if !isStuck { self.frame = frame }
    return count < 8
  }
}
