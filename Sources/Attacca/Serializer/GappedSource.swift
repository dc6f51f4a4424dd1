// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// The frames of an item in the direction in which it is played, and the silence between it and the item in front.
///
/// Frame 0 is the item's first one: silence in front of it has negative numbers, and none of it counts as the item's.
final class GappedSource: WrappingSource {
  let source: any FrameSource
  private let pool = FramePool()
  private let silence: Range<Int64>
  private var position: Int64

  /// The frames of `source`, which is at its first one, behind so many frames of silence.
  init(_ source: any FrameSource, behind silence: Int64) {
    (self.source, self.silence) = (source, -silence..<0)
    position = -silence
  }

  /// The frames of `source`, which has `length` of them and is at its first one, and so many of silence behind them.
  init(_ source: any FrameSource, of length: Int64, before silence: Int64) {
    (self.source, self.silence) = (source, length..<(length + silence))
    position = 0
  }

  private var isBehind: Bool { silence.lowerBound >= 0 }

  func seek(to frame: Int64) throws {
    let target = max(frame, 0)
    // The source is not moved where it is.
    if target != max(position, 0) { try source.seek(to: target) }
    position = frame
  }

  func read(frames: Int) throws -> Chunk? {
    if silence.contains(position) {
      let count = Int(min(Int64(frames), silence.upperBound - position))
      let samples = count * format.channelCount
      let storage = pool.take(samples: samples)
      storage.samples.update(repeating: 0, count: samples)
      position += Int64(count)
      return Chunk(storage: storage, frameCount: count, format: format)
    }
    if isBehind, position >= silence.lowerBound { return nil }
    guard let chunk = try source.read(frames: frames) else { return nil }
    position += Int64(chunk.frameCount)
    return chunk
  }
}
