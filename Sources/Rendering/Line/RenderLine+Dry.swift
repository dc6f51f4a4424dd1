// SPDX-License-Identifier: Apache-2.0

import MediaTime

// Media time that runs on where there is no content.
extension RenderLine {
  /// Counts as content what is silence up to `k`.
  mutating func runUp(to k: StreamFrame) {
    guard transport == .running, ring.end < k else { return }
    let silence = k - ring.end
    if silence <= Int64(ring.room) {
      ring.append(nil, frames: Int(silence))
    } else {
      ring.clear(at: k)
    }
  }

  /// Content that was added where the output has silence is heard from `k` on; fading in, where it begins at `begin`,
  /// before that.
  mutating func fillIn(at k: StreamFrame, from begin: StreamFrame?, fade: Int) {
    let hasMore = ring.end > k
    runUp(to: k)
    wrote(upTo: k)
    if let begin, begin < k, hasMore, fade > 0 { gains.fadeIn(at: k, length: fade) }
  }

  /// Media time, which ran on until now, holds from `k` on where there is no content behind it.
  ///
  /// - Returns: whether it does.
  mutating func fallDry(at k: StreamFrame) -> Bool {
    guard ring.end <= k else {
      wrote(upTo: ring.end)
      return false
    }
    runUp(to: k)
    wrote(upTo: k)
    stall()
    return true
  }
}
