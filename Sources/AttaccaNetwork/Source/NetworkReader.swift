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
    do {
      guard let chunk = try frames.read(frames: samples.count / format.channelCount) else {
        if let truncation = frames.truncation { throw truncation }
        return .end
      }
      guard chunk.format == format else {
        throw SoundFileError(
          .unsupported, path: frames.name, call: "read",
          cause: "its format changes to \(chunk.format), which a reader cannot")
      }
      samples.baseAddress!.update(
        from: chunk.storage.samples, count: chunk.frameCount * format.channelCount)
      return .frames(chunk.frameCount)
    } catch let error as SourceIsWaiting {
      return .wait(error.wait)
    }
  }

  func cancel() { frames.cancel() }
}
