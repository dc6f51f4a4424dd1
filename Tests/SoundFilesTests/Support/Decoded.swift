// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// A whole file in memory, read from start to end.
struct Decoded {
  /// One a format, in order.
  var parts: [(format: AudioFormat, samples: [Float])] = []

  /// Reads what is left, in pieces of an odd size that straddle the decoders' own.
  init(rest file: SoundFile, framesPerRead: Int = 1009) throws {
    while let chunk = try file.read(frames: framesPerRead) {
      if parts.last?.format != chunk.format { parts.append((chunk.format, [])) }
      parts[parts.count - 1].samples.append(
        contentsOf: UnsafeBufferPointer(
          start: chunk.storage.samples, count: chunk.frameCount * chunk.format.channelCount))
    }
  }

  init(path: String) throws {
    try self.init(rest: SoundFile(path: path, pool: FramePool()))
  }

  /// Frames of all parts.
  var frameCount: Int { parts.reduce(0) { $0 + $1.samples.count / $1.format.channelCount } }

  /// The samples of a file of one format.
  var samples: [Float] { parts.count == 1 ? parts[0].samples : [] }
}
