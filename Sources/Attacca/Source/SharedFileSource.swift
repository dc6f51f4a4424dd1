// SPDX-License-Identifier: Apache-2.0

public import SampleBuffers
public import SoundFiles

/// A sound file of which several items play parts, as the tracks of a cue sheet: open once for neighbours.
///
/// Reading goes on from an item to its neighbour that begins at the frame where the item ends: neither is the file
/// opened nor sought in, and the joint is none. Two decoders have the file open at most, however many items, or threads of a
/// `Bounce`, read it: for lossy files the frames behind a joint are those of the uncut file wherever items are read in
/// order, as a player does. All members are thread-safe.
public final class SharedFileSource: AudioSource {
  /// The file's path, relative to the working directory if not absolute.
  public let path: BytePath
  /// The path for people.
  public var name: String { path.text }
  private let files: SharedFiles

  /// The file at `path`, which is opened when it is read first, and closed ten seconds behind its last reader.
  public init(path: BytePath) { (self.path, files) = (path, SharedFiles(path)) }

  /// A reader at the file's first frame.
  ///
  /// - Throws: A `SoundFileError`.
  public func open() async throws -> sending any AudioSourceReader {
    let reading = SharedFileReading(files, pool: FramePool())
    try reading.open()
    return SharedFileReader(reading)
  }

  /// Format of the frames, and that of the file; blocks until the file's headers have been read.
  public func formats() throws(SoundFileError) -> (frames: AudioFormat, file: FileFormat) {
    let header = try files.header(pool: FramePool())
    return (header.format, header.fileFormat)
  }
}

extension SharedFileSource: FrameSourceMaking {
  package func frameSource(pool: FramePool) -> any FrameSource {
    SharedFileReading(files, pool: pool)
  }
}

/// A shared file as sources that wrap it read it.
private final class SharedFileReader: AudioSourceReader {
  private let source: SharedFileReading
  let format: AudioFormat

  init(_ source: SharedFileReading) { (self.source, format) = (source, source.format) }

  var frameCount: Int64? { source.frameCount }
  var tags: Tags { source.tags }
  var chapters: [Chapter] { source.chapters }
  var canBeReadInParts: Bool { source.canBeReadInParts }

  func seek(to frame: Int64) throws { try source.seek(to: frame) }

  func read(into samples: UnsafeMutableBufferPointer<Float>) throws -> AudioRead {
    try source.read(into: samples, as: format, name: source.path)
  }
}
