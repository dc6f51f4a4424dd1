// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// A sound file in memory, of any format that files have.
public struct MemorySource: AudioSource {
  /// The name of the bytes for people.
  public let name: String
  /// The file's bytes, all of them.
  public let bytes: [UInt8]

  /// The file whose bytes are `bytes`; whether they are audio is found out when they are opened.
  public init(_ bytes: [UInt8], name: String) { (self.bytes, self.name) = (bytes, name) }

  /// A reader at the first frame.
  ///
  /// - Throws: A `SoundFileError`.
  public func open() async throws -> sending any AudioSourceReader { try makeReader() }
}

extension MemorySource: SoundFileOpening {
  func soundFile(pool: FramePool) throws(SoundFileError) -> SoundFile {
    try SoundFile(bytes, name: name, pool: pool)
  }
}
