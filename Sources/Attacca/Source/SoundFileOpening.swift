// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// A source that is a sound file, which the engine reads without a reader in between.
protocol SoundFileOpening: AudioSource {
  /// The file, open.
  func soundFile(pool: FramePool) throws(SoundFileError) -> SoundFile
}

extension SoundFileOpening {
  /// A reader for sources that wrap this one.
  func makeReader() throws(SoundFileError) -> sending any AudioSourceReader {
    SoundFileReader(try soundFile(pool: FramePool()))
  }
}

/// A sound file as others read it.
private final class SoundFileReader: AudioSourceReader {
  private let file: SoundFile
  let format: AudioFormat

  init(_ file: SoundFile) { (self.file, format) = (file, file.format) }

  var frameCount: Int64? { file.frameCount }
  var tags: Tags { file.tags }
  var chapters: [Chapter] { file.chapters }
  var canBeReadInParts: Bool { (file as any FrameSource).canBeReadInParts }

  func seek(to frame: Int64) throws { try file.seek(to: frame) }

  func read(into samples: UnsafeMutableBufferPointer<Float>) throws -> AudioRead {
    try file.read(into: samples, as: format, name: file.path)
  }
}
