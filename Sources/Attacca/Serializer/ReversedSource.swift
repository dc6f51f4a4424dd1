// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// A source backwards: its frame 0 is the other's last one.
///
/// Read block by block, each from its beginning to its end and then turned round.
final class ReversedSource: FrameSource {
  let format: AudioFormat
  /// All frames of the source, exactly.
  let frameCount: Int64?
  private let length: Int64
  private let source: any FrameSource
  private let path: String
  /// The next frame.
  private var position: Int64 = 0
  private let blockFrames: Int64
  private let pool = FramePool()
  /// The block that was read last, turned round, and its first frame.
  private var block: (frames: FrameStorage, first: Int64, count: Int64)?

  /// The frames of `source`, the file at `path`.
  ///
  /// - Throws: `unsupported` where that does not tell how long it is, and what reading its end does.
  init(_ source: any FrameSource, path: String) throws {
    (self.source, self.path, format) = (source, path, source.format)
    blockFrames = Int64(source.format.sampleRate)
    guard var length = source.frameCount else {
      throw SoundFileError(
        .unsupported, path: path, call: "seek",
        cause: "its length is unknown, so it cannot be played backwards")
    }
    // Where a file ends earlier than its header says is known only once its end has been read.
    while length > 0 {
      let begin = max(0, length - blockFrames)
      try source.seek(to: begin)
      let frames = FrameStorage(capacity: Int(length - begin) * format.channelCount)
      let count = try Self.read(source, path, into: frames, count: length - begin, format)
      if count == length - begin {
        Self.reverse(frames.samples, frames: Int(count), channels: format.channelCount)
        block = (frames, 0, count)
        break
      }
      length = min(begin + count, source.frameCount ?? .max)
    }
    (self.length, frameCount) = (length, length)
  }

  var tags: Tags { source.tags }
  var chapters: [Chapter] { source.chapters }
  var truncation: SoundFileError? { source.truncation }

  func cancel() { source.cancel() }

  func seek(to frame: Int64) throws { position = min(frame, length) }

  func read(frames: Int) throws -> Chunk? {
    guard position < length else { return nil }
    let block = try block(holding: position)
    let offset = Int(position - block.first)
    let count = min(frames, Int(block.count) - offset)
    let channels = format.channelCount
    let storage = pool.take(samples: count * channels)
    storage.samples.update(from: block.frames.samples + offset * channels, count: count * channels)
    position += Int64(count)
    return Chunk(storage: storage, frameCount: count, format: format)
  }

  private func block(
    holding frame: Int64
  ) throws -> (frames: FrameStorage, first: Int64, count: Int64) {
    if let block, frame >= block.first, frame < block.first + block.count { return block }
    let end = length - frame
    let begin = max(0, end - blockFrames)
    try source.seek(to: begin)
    let capacity = Int(blockFrames) * format.channelCount
    let frames = block?.frames ?? FrameStorage(capacity: capacity)
    block = nil
    let count = try Self.read(source, path, into: frames, count: end - begin, format)
    guard count == end - begin else {
      throw SoundFileError(
        .broken, path: path, call: "read", cause: "\(count) of \(end - begin) frames before \(end)")
    }
    Self.reverse(frames.samples, frames: Int(count), channels: format.channelCount)
    let new = (frames, frame, count)
    block = new
    return new
  }

  /// Reads up to `count` frames, all of one format.
  private static func read(
    _ source: any FrameSource, _ path: String, into target: FrameStorage, count: Int64,
    _ format: AudioFormat
  ) throws -> Int64 {
    var done: Int64 = 0
    while done < count, let chunk = try source.read(frames: Int(count - done)) {
      guard chunk.format == format else {
        throw SoundFileError(
          .unsupported, path: path, call: "read",
          cause: "its format changes, so it cannot be played backwards")
      }
      let place = target.samples + Int(done) * format.channelCount
      place.update(from: chunk.storage.samples, count: chunk.frameCount * format.channelCount)
      done += Int64(chunk.frameCount)
    }
    return done
  }

  private static func reverse(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int
  ) {
    for i in 0..<(frames / 2) {
      let (a, b) = (i * channels, (frames - 1 - i) * channels)
      for channel in 0..<channels {
        (samples[a + channel], samples[b + channel]) = (samples[b + channel], samples[a + channel])
      }
    }
  }
}
