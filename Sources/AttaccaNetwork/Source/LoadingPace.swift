// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// Bytes in a second of the sound: by the whole where its length is known, else by what has been decoded.
struct LoadingPace {
  private var seconds = 0.0
  /// It has been read from its start without a seek.
  var isStraight = true

  mutating func note(_ chunk: Chunk, of file: SoundFile) {
    seconds += Double(chunk.frameCount) / Double(chunk.format.sampleRate)
  }

  /// Bytes a second of `file`, which has `size` bytes; nil while that cannot be told.
  func bytesPerSecond(of file: SoundFile, size: Int64?) -> Double? {
    if let frames = file.frameCount, let size, frames > 0, size > 0 {
      return Double(size) * Double(file.format.sampleRate) / Double(frames)
    }
    guard isStraight, seconds >= 0.1, file.consumedBytes > 0 else { return nil }
    return Double(file.consumedBytes) / seconds
  }
}
