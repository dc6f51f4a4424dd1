// SPDX-License-Identifier: Apache-2.0

import Attacca

/// What a file is, as far as its headers and its last frame tell.
///
/// A file is decoded as a whole only where that does not tell its exact length.
struct FileReport: Sendable {
  let path: BytePath
  let fileFormat: FileFormat
  /// The format of the first frame; a chained stream may change it.
  let format: AudioFormat
  /// Heard frames; nil where parts of the file have different rates.
  private(set) var frames: Int64?
  private(set) var length: RationalTime
  let tags: Tags
  /// What is missing at the end.
  private(set) var truncation: SoundFileError?

  /// Blocks until the file has been looked at.
  init(path: BytePath) throws(SoundFileError) {
    self = try Patience.wait(for: path.text) { patience throws(SoundFileError) in
      try FileReport(path: path, patience: patience)
    }
  }

  private init(path: BytePath, patience: Patience) throws(SoundFileError) {
    let file = try SoundFile(path: path, pool: FramePool())
    (self.path, fileFormat, format, tags) = (path, file.fileFormat, file.format, file.tags)
    length = .zero
    if file.frameCount == nil, let search = file.lengthSearch {
      // A second or two of a disk for a day of music; decoding would take a minute.
      while search.advance() { patience.madeProgress() }
    }
    if let frames = file.frameCount, Self.hasLastFrame(file, of: frames) {
      self.frames = frames
      length = RationalTime(frames: frames, rate: format.sampleRate)
    } else {
      try decode(patience)
    }
  }

  /// Whether the frame that the header promises last is there.
  private static func hasLastFrame(_ file: SoundFile, of frames: Int64) -> Bool {
    guard frames > 0, file.truncation == nil else { return false }
    do throws(SoundFileError) {
      try file.seek(to: frames - 1)
      guard let last = try file.read(frames: 1), last.frameCount == 1 else { return false }
      return try file.read(frames: 1) == nil && file.truncation == nil
    } catch {
      // The decoding that follows meets the same error, or finds out how much there is.
      return false
    }
  }

  private mutating func decode(_ patience: Patience) throws(SoundFileError) {
    let file = try SoundFile(path: path, pool: FramePool())
    var (frames, hasOneRate) = (Int64(0), true)
    while let chunk = try file.read(frames: 65_536) {
      frames += Int64(chunk.frameCount)
      hasOneRate = hasOneRate && chunk.format.sampleRate == format.sampleRate
      length =
        length
        + RationalTime(frames: Int64(chunk.frameCount), rate: chunk.format.sampleRate)
      patience.madeProgress()
    }
    self.frames = hasOneRate ? frames : nil
    truncation = file.truncation
  }
}
