// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
public import SoundFiles

/// A sound file at a path, for sources that wrap another one; an item takes a path by itself.
public struct FileSource: AudioSource {
  /// The file's path, relative to the working directory if not absolute.
  public let path: BytePath
  /// The path for people.
  public var name: String { path.text }

  /// The file at `path`, which is opened with each reader.
  public init(path: BytePath) { self.path = path }

  /// The file at `path`, in UTF-8.
  public init(path: String) { self.init(path: BytePath(path)) }

  /// A reader at the file's first frame.
  ///
  /// - Throws: A `SoundFileError`.
  public func open() async throws -> sending any AudioSourceReader { try makeReader() }
}

extension FileSource: SoundFileOpening {
  func soundFile(pool: FramePool) throws(SoundFileError) -> SoundFile {
    try SoundFile(path: path, pool: pool)
  }
}
