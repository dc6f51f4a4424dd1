// SPDX-License-Identifier: Apache-2.0

import CMPG123
import Glibc
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
  private let source: ByteSource
  private let handle: OpaquePointer
  private var position: Int64 = 0

  init(file: RegularFile, stream: MPEGStream) throws(SoundFileError) {
    path = file.path
    source = ByteSource(
      file: file, window: 0..<file.size, hole: stream.tagEnd..<stream.firstFrame)
    let promise = try Self.credible(stream, in: file)
    var code: Int32 = 0
    guard let handle = mpg123_new(nil, &code) else {
      throw SoundFileError(
        .broken, path: file.path, call: "mpg123_new", code: code,
        cause: String(cString: mpg123_plain_strerror(code)))
    }
    self.handle = handle
    do throws(SoundFileError) {
      try Self.start(handle, source: source, promise: promise, path: file.path)
      format = try Self.format(of: handle, path: file.path)
    } catch {
      mpg123_delete(handle)
      throw error
    }
    fileFormat = FileFormat(container: .mpeg, encoding: .lossy("MP\(stream.header.layer)"))
    if promise == .missing || promise == .absurd, try stream.endsInsideFrame(of: file) {
      truncation = SoundFileError(
        .truncated, path: file.path, call: "MPEGHeader",
        cause: "the file ends inside an MPEG frame, after \(mpg123_length(handle)) frames")
    }
    let length = Int64(mpg123_length(handle))
    frameCount = length >= 0 ? length : nil
    tags = Tags(mpg123: handle)
    guard frameCount != 0 else {
      mpg123_delete(handle)
      throw SoundFileError(.empty, path: file.path, call: "mpg123_length", cause: "no frame")
    }
  }

  deinit { mpg123_delete(handle) }

  /// What of the Info header can be true.
  private enum Promise {
    /// The frame count stands.
    case holds
    /// There is none, or no frame count in it.
    case missing
    /// It is that of the first of several joined files.
    case joined
    /// More frames than bytes could hold: the header is not worth reading.
    case absurd
  }

  private static func credible(
    _ stream: MPEGStream, in file: RegularFile
  ) throws(SoundFileError) -> Promise {
    guard let frames = stream.promisedFrames, frames > 0 else { return .missing }
    let bytes = file.size - stream.firstFrame
    // 24 bytes are the shortest frame of layer 3: 8 kbit/s at 24 kHz.
    if frames > max(bytes, 1) / 24 + 1, stream.promisedBytes ?? 0 <= bytes { return .absurd }
    // Another frame or a tag for what follows behind the promised frames: several files were joined.
    if let promised = stream.promisedBytes {
      let next = try file.bytes(at: stream.firstFrame + promised, count: 4)
      if MPEGHeader(UInt32(next.big(at: 0, 4))) != nil || next.text(at: 0, 3) == "ID3" {
        return .joined
      }
    }
    return .holds
  }

  private static func start(
    _ handle: OpaquePointer, source: ByteSource, promise: Promise, path: String
  ) throws(SoundFileError) {
    var flags = MPG123_FORCE_FLOAT.rawValue | MPG123_QUIET.rawValue
    switch promise {
    case .holds, .missing: flags |= MPG123_GAPLESS.rawValue
    // The library trims where the first file's header says and then seeks off in the others.
    case .joined:
      mpg123_param2(
        handle, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_GAPLESS.rawValue), 0)
    case .absurd: flags |= MPG123_IGNORE_INFOFRAME.rawValue
    }
    mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), Int(flags), 0)
    // The bit reservoir of a low rate reaches over many frames; with 12 no seek of 400 was off.
    mpg123_param2(handle, Int32(MPG123_PREFRAMES.rawValue), 12, 0)
    mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), MPEGStream.junkLimit, 0)
    mpg123_replace_reader_handle(
      handle,
      { pointer, buffer, count in
        ByteSource.from(pointer!).read(
          into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      },
      { pointer, offset, whence in
        off_t(ByteSource.from(pointer!).seek(to: Int64(offset), whence: whence))
      }, nil)
    try check(mpg123_open_handle(handle, source.pointer), "mpg123_open_handle", handle, path)
    if promise != .holds { try check(mpg123_scan(handle), "mpg123_scan", handle, path) }
  }

  private static func check(
    _ result: Int32, _ call: String, _ handle: OpaquePointer, _ path: String
  ) throws(SoundFileError) {
    guard result != MPG123_OK.rawValue else { return }
    throw SoundFileError(
      .broken, path: path, call: call, code: mpg123_errcode(handle),
      cause: String(cString: mpg123_strerror(handle)))
  }

  private static func format(
    of handle: OpaquePointer, path: String
  ) throws(SoundFileError) -> AudioFormat {
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    try check(
      mpg123_getformat(handle, &rate, &channels, &encoding), "mpg123_getformat", handle, path)
    guard encoding == Int32(MPG123_ENC_FLOAT_32.rawValue), (1...2).contains(channels),
      (1...AudioFormat.highestSampleRate).contains(rate)
    else {
      throw SoundFileError(
        .absurdHeader, path: path, call: "mpg123_getformat",
        cause: "\(rate) Hz, \(channels) channels, encoding \(encoding)")
    }
    return AudioFormat(sampleRate: rate, layout: .usual(channelCount: Int(channels)))
  }

  func seek(to frame: Int64) throws(SoundFileError) {
    let target = min(frame, frameCount ?? frame)
    let reached = mpg123_seek(handle, off_t(target), SEEK_SET)
    guard reached >= 0 else {
      throw SoundFileError(
        .broken, path: path, call: "mpg123_seek", code: mpg123_errcode(handle),
        cause: String(cString: mpg123_strerror(handle)))
    }
    position = Int64(reached)
  }

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    var filled = 0
    while filled < frames {
      var bytes = 0
      let result = mpg123_read(
        handle, samples + filled * format.channelCount, (frames - filled) * format.bytesPerFrame,
        &bytes)
      let count = bytes / format.bytesPerFrame
      filled += count
      position += Int64(count)
      if let expected = frameCount, position > expected { frameCount = nil }
      switch result {
      case MPG123_OK.rawValue: continue
      case MPG123_NEW_FORMAT.rawValue:
        let next = try Self.format(of: handle, path: path)
        if next == format { continue }
        // Frames of two rates have no common count.
        format = next
        frameCount = nil
        return filled
      case MPG123_DONE.rawValue:
        try noteEnd()
        return filled
      default:
        if filled > 0 { return filled }
        try fail(result)
        return 0
      }
    }
    return filled
  }

  private func noteEnd() throws(SoundFileError) {
    if source.failure != 0 { try fail(MPG123_DONE.rawValue) }
    guard let expected = frameCount, position < expected else { return }
    truncation = SoundFileError(
      .truncated, path: path, call: "mpg123_read", cause: "\(position) of \(expected) frames")
    frameCount = position
  }

  private func fail(_ result: Int32) throws(SoundFileError) {
    if source.failure != 0 {
      throw SoundFileError(
        .unreadable, path: path, call: "pread", code: source.failure,
        cause: SystemError(code: source.failure).text)
    }
    throw SoundFileError(
      .broken, path: path, call: "mpg123_read", code: mpg123_errcode(handle),
      cause: "at frame \(position): \(String(cString: mpg123_strerror(handle)))")
  }
}
