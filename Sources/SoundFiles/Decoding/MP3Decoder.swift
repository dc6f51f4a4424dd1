// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// MPEG audio by libmpg123.
///
/// libsndfile uses the same library, but cuts files short whose length it has to guess, and seeks
/// without enough frames of history: 314 of 400 seeks in a 22.05 kHz file decoded garbage.
final class MP3Decoder: FrameDecoder {
  private(set) var format: AudioFormat
  let fileFormat: FileFormat
  private(set) var frameCount: Int64?
  let tags: Tags
  private(set) var truncation: SoundFileError?

  private let path: String
  private let handle: MPG123Handle
  private var position: Int64 = 0
  /// What was met behind frames that were still good.
  private var failure: SoundFileError?

  init(file: RegularFile, stream: MPEGStream) throws(SoundFileError) {
    path = file.path
    let promise = try InfoPromise(of: stream, in: file)
    handle = try MPG123Handle(file: file, stream: stream, promise: promise)
    format = try handle.format()
    fileFormat = FileFormat(container: .mpeg, encoding: .lossy("MP\(stream.header.layer)"))
    frameCount = handle.length
    tags = handle.tags
    guard frameCount != 0 else {
      throw SoundFileError(.empty, path: path, call: "mpg123_length", cause: "no frame")
    }
    if let rubbish = handle.rubbish {
      truncation = Self.truncation(path, rubbish: rubbish, frames: frameCount ?? 0)
    } else if promise == .missing || promise == .absurd, try stream.endsInsideFrame(of: file) {
      truncation = SoundFileError(
        .truncated, path: path, call: "MPEGHeader",
        cause: "the file ends inside an MPEG frame, after \(frameCount ?? 0) frames")
    }
  }

  func seek(to frame: Int64) throws(SoundFileError) {
    let target = min(frame, frameCount ?? frame)
    failure = nil
    position = try handle.seek(to: target)
    if position > target {
      // Damage on the way may carry the library to the end; from the start it finds its way.
      _ = try handle.seek(to: 0)
      position = try handle.seek(to: target)
    }
    guard position <= target else {
      throw SoundFileError(
        .broken, path: path, call: "mpg123_seek", cause: "to frame \(target), reached \(position)")
    }
    if position == target { return }
    // Two channels: a damaged stream may change to them on the way.
    let scratch = FrameStorage(capacity: 4096 * 2)
    while position < target {
      let wanted = Int(min(4096, target - position))
      if try read(into: scratch.samples, frames: wanted) == 0 { break }
    }
  }

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    if let failure { throw failure }
    var filled = 0
    while filled < frames {
      let rest = UnsafeMutableRawBufferPointer(
        start: samples + filled * format.channelCount,
        count: (frames - filled) * format.bytesPerFrame)
      var bytes = 0
      let result: MPG123Handle.ReadResult
      do throws(SoundFileError) {
        result = try handle.read(into: rest, filled: &bytes)
      } catch {
        if filled == 0 { throw error }
        failure = error
        return filled
      }
      filled += bytes / format.bytesPerFrame
      position += Int64(bytes / format.bytesPerFrame)
      if let expected = frameCount, position > expected { frameCount = nil }
      switch result {
      case .more: continue
      case .newFormat:
        let next = try handle.format()
        if next == format { continue }
        // Frames of two rates have no common count.
        (format, frameCount) = (next, nil)
        return filled
      case .end:
        noteEnd()
        return filled
      }
    }
    return filled
  }

  private static func truncation(_ path: String, rubbish: Int64, frames: Int64) -> SoundFileError {
    SoundFileError(
      .truncated, path: path, call: "MPEGHeader",
      cause: "no MPEG frame behind byte \(rubbish), after \(frames) frames")
  }

  private func noteEnd() {
    guard let expected = frameCount, position < expected else { return }
    truncation = SoundFileError(
      .truncated, path: path, call: "mpg123_read", cause: "\(position) of \(expected) frames")
    frameCount = position
  }
}
