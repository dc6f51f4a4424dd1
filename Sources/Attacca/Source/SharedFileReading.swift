// SPDX-License-Identifier: Apache-2.0

import Preconditions
import SampleBuffers
import SoundFiles

/// A position of its own in a file that is shared.
final class SharedFileReading: FrameSource {
  private let files: SharedFiles
  private let pool: FramePool
  private var header: SharedFiles.Header?
  /// The next frame.
  private var position: Int64 = 0
  private(set) var truncation: SoundFileError?

  init(_ files: SharedFiles, pool: FramePool) {
    (self.files, self.pool) = (files, pool)
    files.join()
  }

  deinit { files.leave(ObjectIdentifier(self)) }

  private var opened: SharedFiles.Header {
    guard let header else { trap("a shared file is read that is not open") }
    return header
  }

  var path: String { files.path.text }

  func open() throws { header = try files.header(pool: pool) }

  var format: AudioFormat { opened.format }
  var frameCount: Int64? { opened.frameCount ?? opened.lengthSearch?.frameCount }
  var lengthSearch: LengthSearch? { opened.lengthSearch }
  var tags: Tags { opened.tags }
  var chapters: [Chapter] { opened.chapters }
  var canBeReadInParts: Bool { opened.canBeReadInParts }

  func seek(to frame: Int64) throws { position = frame }

  func read(frames: Int) throws -> Chunk? {
    let (chunk, truncation) = try files.read(
      frames, at: position, for: ObjectIdentifier(self), pool: pool)
    if let chunk { position += Int64(chunk.frameCount) } else { self.truncation = truncation }
    return chunk
  }
}
