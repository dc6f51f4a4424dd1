// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import SampleBuffers
public import SoundFiles

/// A file, or a part of it, that has been decoded and measured.
public struct FileLoudness: Sendable {
  /// Meter that was given all frames; with others that of an album.
  public let meter: LoudnessMeter
  /// Digest of the frames.
  public let digest: SampleDigest
  /// Tags of the file.
  public let tags: Tags
  /// Seconds of sound.
  public let seconds: Double
  /// Reason for a file that ended before its header says, if it did.
  public let truncation: SoundFileError?
  /// Loudness of the file alone.
  public var measured: MeasuredLoudness { meter.measured }

  /// Decodes the file at `path` and measures it; blocks.
  ///
  /// Nil where it was stopped.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - start: Where the part begins in it.
  ///   - end: Where the part ends in it; nil for the file's end.
  ///   - proceed: Called on this thread with the seconds of each piece; false has it stop.
  /// - Throws: Why the file cannot be read.
  public init?(
    path: BytePath, from start: MediaTime = .zero, to end: MediaTime? = nil,
    proceed: (Double) -> Bool = { _ in true }
  ) throws(SoundFileError) {
    var meter: LoudnessMeter?
    let decoded = try Self.decode(path, from: start, to: end, proceed: proceed) {
      samples, count, format throws(SoundFileError) in
      if meter == nil { meter = try LoudnessMeter(format: format) }
      meter?.add(samples, frameCount: count, format: format)
    }
    guard let decoded else { return nil }
    if let meter {
      self.meter = meter
    } else {
      self.meter = try LoudnessMeter(format: decoded.format)
    }
    (digest, seconds) = (decoded.digest, decoded.seconds)
    (tags, truncation) = (decoded.tags, decoded.truncation)
  }

  /// A file that has been decoded.
  struct Decoded {
    var digest = SampleDigest()
    var seconds = 0.0
    let format: AudioFormat
    let tags: Tags
    var truncation: SoundFileError?
  }

  /// Frames that are decoded at a time.
  private static let piece: Int64 = 32_768

  /// Decodes a file, or a part of it, and shows each piece to `body`; nil where it was stopped.
  static func decode(
    _ path: BytePath, from start: MediaTime = .zero, to end: MediaTime? = nil,
    proceed: (Double) -> Bool,
    _ body: (UnsafePointer<Float>, Int, AudioFormat) throws(SoundFileError) -> Void = { _, _, _ in
    }
  ) throws(SoundFileError) -> Decoded? {
    let file = try SoundFile(path: path, pool: FramePool())
    let rate = file.format.sampleRate
    let first = RationalTime(start).frames(at: rate)
    if first > 0 { try file.seek(to: first) }
    var left = end.map { max(0, RationalTime($0).frames(at: rate) - first) } ?? .max
    var decoded = Decoded(format: file.format, tags: file.tags)
    while left > 0, let chunk = try file.read(frames: Int(min(left, piece))) {
      left -= Int64(chunk.frameCount)
      let (samples, count) = (UnsafePointer(chunk.storage.samples), chunk.frameCount)
      try body(samples, count, chunk.format)
      decoded.digest.add(samples, frameCount: count, format: chunk.format)
      let length = Double(count) / Double(chunk.format.sampleRate)
      decoded.seconds += length
      guard proceed(length) else { return nil }
    }
    decoded.truncation = file.truncation
    return decoded
  }
}
