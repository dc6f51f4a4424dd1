// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork

/// A description of a file, as far as its headers and its last frame tell.
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
  private(set) var tags: Tags
  /// The part of the file that is told of; nil for all of it.
  private(set) var clip: (start: MediaTime, end: MediaTime?)?
  /// It is a broadcast: it has no length.
  let isBroadcast: Bool
  /// Facts of a stream of segments; nil for anything else.
  let stream: SegmentedStream?
  /// As the file has them, in order.
  private(set) var chapters: [Chapter]
  let pictures: [Picture]
  /// Details of the stream: how the length is known, and what else the file says.
  private(set) var details: StreamDetails
  /// Bits a second: the stream's, or the whole file's by its size.
  private(set) var bitRate: Int?
  /// Frames missing at the end of the file, or silent within it, as the error that tells them; nil where none is known.
  private(set) var truncation: SoundFileError?
  /// Nil where it was not asked for.
  private(set) var checksum: Checksum?

  /// Comparison of all samples of the file with the checksum that it bears.
  enum Checksum: String, Sendable {
    /// The file bears none.
    case none
    case right
    case wrong
  }

  /// Blocks until the file has been looked at; all of it has been decoded if it `isVerified`.
  ///
  /// `source` is what is to be looked at in its place, if it is on a server.
  init(
    path: BytePath, _ source: HTTPSource? = nil, isVerified: Bool = false
  ) throws(SoundFileError) {
    self = try StallTimeout.wait(for: path.text, source) { timeout throws(SoundFileError) in
      try FileReport(path, source, isVerified: isVerified, timeout)
    }
  }

  /// True unless frames are known to be missing or silent, or the checksum is wrong.
  var isSound: Bool { truncation == nil && checksum != .wrong }

  private init(
    _ path: BytePath, _ source: HTTPSource?, isVerified: Bool, _ timeout: StallTimeout
  ) throws(SoundFileError) {
    let file =
      if let source { try source.soundFile() } else { try SoundFile(path: path, pool: FramePool()) }
    isBroadcast = source?.isBroadcast == true
    stream = source?.segmentedStream
    // Without a password.
    self.path = source.map { BytePath($0.name) } ?? path
    (fileFormat, format) = (file.fileFormat, file.format)
    (tags, chapters, pictures) = (file.tags, file.chapters, try file.pictures())
    (length, details) = (.zero, file.details)
    guard !isBroadcast else {
      bitRate = details.bitRate
      return
    }
    if let source, stream != nil {
      try decodeStream(source, timeout)
      return
    }
    if file.frameCount == nil, let search = file.lengthSearch {
      // A second or two of a disk for a day of music; decoding would take a minute.
      while search.advance() { timeout.madeProgress() }
    }
    if isVerified {
      let isRight = try file.hasItsChecksum { timeout.madeProgress() }
      checksum = isRight.map { $0 ? .right : .wrong } ?? Checksum.none
    }
    // On a network that would be to load all of it, as a rule.
    if !isVerified, let frames = file.frameCount,
      source != nil || Self.hasLastFrame(file, of: frames)
    {
      self.frames = frames
      length = RationalTime(frames: frames, rate: format.sampleRate)
    } else {
      try decode(file, isRemote: source != nil, timeout)
    }
    bitRate =
      details.bitRate
      ?? (length.seconds > 0 ? Int(8 * Double(file.byteCount) / length.seconds) : nil)
  }

  /// Tells whether the frame that the header promises last is there.
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

  private mutating func decode(
    _ file: SoundFile, isRemote: Bool, _ timeout: StallTimeout
  ) throws(SoundFileError) {
    // A file is opened anew, as it has been sought in; an address would be loaded anew.
    let file = isRemote ? file : try SoundFile(path: path, pool: FramePool())
    if isRemote { try file.seek(to: 0) }
    take(try DecodedLength(of: file, timeout))
    (truncation, details) = (file.truncation, file.details)
    if frames != nil { details.lengthSource = .packets }
  }

  /// A file has the first part of a stream alone.
  private mutating func decodeStream(
    _ source: HTTPSource, _ timeout: StallTimeout
  ) throws(SoundFileError) {
    take(try DecodedLength(ofStream: source, timeout, &truncation))
    details.lengthSource = .packets
    bitRate = details.bitRate
  }

  private mutating func take(_ decoded: DecodedLength) {
    (frames, length) = (decoded.frames, decoded.length)
  }
}

extension FileReport {
  /// Returns the report of the part that an entry plays; the whole where that is all.
  func clipped(to entry: PlaylistFile.Entry) -> FileReport {
    guard entry.isClip else { return self }
    var report = self
    report.clip = (entry.start, entry.end)
    report.tags = entry.tags
    report.chapters = chapters.clipped(from: entry.start, to: entry.end)
    let rate = format.sampleRate
    guard let all = frames else { return report }
    let start = min(RationalTime(entry.start).frames(at: rate), all)
    let end = entry.end.map { min(RationalTime($0).frames(at: rate), all) } ?? all
    report.frames = max(0, end - start)
    report.length = RationalTime(frames: max(0, end - start), rate: rate)
    return report
  }
}
