// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering

/// Numbers from `first` on, so that a lost or doubled frame names itself.
func ramp(_ first: Int, _ count: Int) -> [Float] { (first..<(first + count)).map(Float.init) }

extension RenderLine {
  /// What stream frames `range` sound like; one channel.
  func rendered(_ range: Range<StreamFrame>) -> [Float] {
    var out = [Float](repeating: .nan, count: range.count * ring.channelCount)
    out.withUnsafeMutableBufferPointer {
      if let base = $0.baseAddress {
        render(from: range.lowerBound, frames: range.count, into: base)
      }
    }
    return out
  }

  /// Appends `samples` of one channel; the number taken or dropped.
  @discardableResult
  mutating func append(_ samples: [Float], media: TimelineFrame) -> Int {
    samples.withUnsafeBufferPointer {
      append($0.baseAddress!, media: media, count: samples.count)
    }
  }

  /// Plays on up to stream frame `frame`, as an output does.
  mutating func play(upTo frame: StreamFrame) {
    wrote(upTo: frame)
    heard(frame)
  }
}

/// `samples` of one channel that wait at timeline frame `media`.
func staged(_ samples: [Float], media: TimelineFrame) -> StagedFrames {
  let staged = StagedFrames(media: media, rate: 48_000, channelCount: 1, capacity: samples.count)
  let taken = samples.withUnsafeBufferPointer {
    $0.baseAddress.map { staged.append($0, media: media, frames: samples.count) } ?? 0
  }
  precondition(taken == samples.count, "staged \(taken) of \(samples.count)")
  return staged
}
