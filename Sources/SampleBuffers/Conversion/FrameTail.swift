// SPDX-License-Identifier: Apache-2.0

/// The last frames of a stream, at least `length` of them once that many went by.
///
/// Copies each frame once, and once more every `length` frames.
final class FrameTail {
  private let length: Int
  private let channelCount: Int
  private let memory: UnsafeMutablePointer<Float>
  private var stored = 0

  init(length: Int, channelCount: Int) {
    (self.length, self.channelCount) = (length, channelCount)
    memory = .allocate(capacity: 2 * length * channelCount)
  }

  deinit { memory.deallocate() }

  /// Frames that can be had: as many as came, `length` at most.
  var count: Int { min(stored, length) }

  /// The last `count` frames, until the next call.
  var frames: UnsafePointer<Float> {
    UnsafePointer(memory + (stored - count) * channelCount)
  }

  func removeAll() { stored = 0 }

  func append(_ frames: UnsafePointer<Float>, frameCount: Int) {
    let taken = min(frameCount, length)
    if stored + taken > 2 * length {
      let kept = length
      memory.update(from: memory + (stored - kept) * channelCount, count: kept * channelCount)
      stored = kept
    }
    (memory + stored * channelCount).update(
      from: frames + (frameCount - taken) * channelCount, count: taken * channelCount)
    stored += taken
  }
}
