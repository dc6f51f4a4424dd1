// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering
import SampleBuffers

/// A call of a bare renderer, or frames that are pulled from it.
enum EnqueuingStep: CustomStringConvertible {
  /// A buffer for `from`, whose first `trim` frames are not heard; its own time is `jitter` off where it follows
  /// the one before.
  case enqueue(
    from: RationalTime, AudioFormat, count: Int, trim: Int, jitter: RationalTime = .zero)
  case flush
  case cut(from: RationalTime)
  case rate(Double)
  case steer(off: Double)
  case jump(to: RationalTime, rate: Double)
  case finish
  /// Rate 0 and back.
  case interrupt
  case pull(Int)

  var description: String {
    switch self {
    case .enqueue(let from, let format, let count, let trim, let jitter):
      "enqueue \(count) frames at \(from.seconds), \(trim) of them trimmed, \(jitter.seconds) off: \(format)"
    case .flush: "flush"
    case .cut(let time): "flush from \(time.seconds)"
    case .rate(let rate): "rate \(rate)"
    case .steer(let off): "off by \(off)"
    case .jump(let time, let rate): "rate \(rate) at \(time.seconds)"
    case .finish: "finish"
    case .interrupt: "rate 0 and back"
    case .pull(let count): "pull \(count)"
    }
  }
}
