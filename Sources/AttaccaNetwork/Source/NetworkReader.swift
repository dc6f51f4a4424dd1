// SPDX-License-Identifier: Apache-2.0

import Attacca
import SampleBuffers
import SoundFiles

/// A file on a network as others than the engine read it.
final class NetworkReader: AudioSourceReader {
  private let frames: NetworkFrames
  let format: AudioFormat

  init(_ frames: NetworkFrames) { (self.frames, format) = (frames, frames.format) }

  var frameCount: Int64? { frames.frameCount }
  var tags: Tags { frames.tags }
  var chapters: [Chapter] { frames.chapters }

  func seek(to frame: Int64) throws { try frames.seek(to: frame) }

  func read(into samples: UnsafeMutableBufferPointer<Float>) throws -> AudioRead {
    try frames.read(into: samples, as: format, name: frames.name)
  }

  func cancel() { frames.cancel() }
}
