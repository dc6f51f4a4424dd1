// SPDX-License-Identifier: Apache-2.0

import CMPG123
import Glibc
import SampleBuffers

/// One `mpg123_handle` and the bytes it reads.
final class MPG123Handle {
  private let path: String
  private let source: ByteSource
  private let runs: MPEGRuns
  private let handle: OpaquePointer

  /// Opens the frames of `file`; with `scans` all of it is read for what `promise` leaves open.
  ///
  /// The places of `indexSize` MPEG frames are kept; 1,000 are the library's choice.
  init(
    file: RegularFile, stream: MPEGStream, promise: InfoPromise, scans: Bool,
    indexSize: Int = 1_000
  ) throws(SoundFileError) {
    var code: Int32 = 0
    guard let handle = mpg123_new(nil, &code) else {
      throw SoundFileError(
        .broken, path: file.path, call: "mpg123_new", code: code,
        cause: String(cString: mpg123_plain_strerror(code)))
    }
    self.handle = handle
    path = file.path
    runs = MPEGRuns(of: stream, in: file)
    source = ByteSource(file: file, runs: runs)
    configure(promise)
    mpg123_param2(handle, Int32(MPG123_INDEX_SIZE.rawValue), indexSize, 0)
    try check(mpg123_open_handle(handle, source.pointer), "mpg123_open_handle")
    if scans, promise != .holds { try check(mpg123_scan(handle), "mpg123_scan") }
  }

  deinit { mpg123_delete(handle) }

  private func configure(_ promise: InfoPromise) {
    // `MPEGStream` has looked at the frames that follow the first; the library would refuse a file of
    // one frame.
    var flags =
      MPG123_FORCE_FLOAT.rawValue | MPG123_QUIET.rawValue | MPG123_NO_READAHEAD.rawValue
      // The library reads all of a tag, pictures too.
      | MPG123_SKIP_ID3V2.rawValue
    switch promise {
    case .holds, .missing: flags |= MPG123_GAPLESS.rawValue
    // The library trims where the first file's header says and then seeks off in the others.
    case .joined:
      mpg123_param2(handle, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_GAPLESS.rawValue), 0)
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
  }

  /// Places of frames that have been met so far; nil before the first one.
  ///
  /// The corresponding C function is `mpg123_index`.
  var map: MPEGMap? {
    var offsets: UnsafeMutablePointer<off_t>?
    var (step, fill) = (off_t(0), 0)
    guard mpg123_index(handle, &offsets, &step, &fill) == MPG123_OK.rawValue, let offsets, fill > 0
    else { return nil }
    let places = Array(UnsafeBufferPointer(start: offsets, count: fill))
    return MPEGMap(offsets: places, step: step, runs: runs.found)
  }

  /// The same, with all that stands behind the last frame.
  func wholeMap() throws(SoundFileError) -> MPEGMap? {
    try runs.extend(to: .max)
    return map
  }

  /// Takes places of frames, and what stands between them, that have been found elsewhere in the same
  /// file; the C function is `mpg123_set_index`.
  func take(_ map: MPEGMap) {
    let (own, ownStep) = self.map.map { ($0.offsets.count, $0.step) } ?? (0, 0)
    guard off_t(map.offsets.count) * map.step > off_t(own) * ownStep else { return }
    var offsets = map.offsets
    guard mpg123_set_index(handle, &offsets, map.step, offsets.count) == MPG123_OK.rawValue else {
      return
    }
    runs.take(map.runs)
  }

  /// Takes the place in the file of MPEG frame `number`, from which frames behind it are found; the C function is
  /// `mpg123_set_index`.
  func take(_ number: Int64, at place: Int64) {
    guard number > 0, let first = map?.offsets.first else { return }
    var offsets = [first, off_t(runs.shown(place))]
    guard mpg123_set_index(handle, &offsets, off_t(number), 2) == MPG123_OK.rawValue else { return }
    runs.skip(to: place)
  }

  /// Goes on by one MPEG frame without decoding it; the C function is `mpg123_framebyframe_next`.
  ///
  /// - Returns: frames of sound in it; nil at the end.
  func nextFrame() throws(SoundFileError) -> Int? {
    switch mpg123_framebyframe_next(handle) {
    case MPG123_OK.rawValue, MPG123_NEW_FORMAT.rawValue: return Int(mpg123_spf(handle))
    case MPG123_DONE.rawValue where source.failure == 0: return nil
    default: throw error("mpg123_framebyframe_next", cause: words)
    }
  }

  /// Heard frames, or `nil` when unknown; an estimate where neither a header tells them nor a scan.
  ///
  /// The corresponding C function is `mpg123_length`.
  var length: Int64? {
    let length = Int64(mpg123_length(handle))
    return length >= 0 ? length : nil
  }

  /// Returns why the stream of frames has no good end, as far as that has been read: where rubbish to the end
  /// has been found, or, unless frames are counted, that the file ends inside one.
  func fault(frames: Int64, isCounted: Bool) -> SoundFileError? {
    let cause: String
    if let rubbish = runs.found.rubbish {
      cause = "no MPEG frame behind byte \(rubbish), after \(frames) frames"
    } else if runs.found.endsInsideFrame, !isCounted {
      cause = "the file ends inside an MPEG frame, after \(frames) frames"
    } else {
      return nil
    }
    return SoundFileError(.truncated, path: path, call: "MPEGHeader", cause: cause)
  }

  /// The corresponding C function is `mpg123_getformat`.
  func format() throws(SoundFileError) -> AudioFormat {
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    try check(mpg123_getformat(handle, &rate, &channels, &encoding), "mpg123_getformat")
    guard encoding == Int32(MPG123_ENC_FLOAT_32.rawValue), (1...2).contains(channels),
      (1...AudioFormat.highestSampleRate).contains(rate)
    else {
      throw SoundFileError(
        .absurdHeader, path: path, call: "mpg123_getformat",
        cause: "\(rate) Hz, \(channels) channels, encoding \(encoding)")
    }
    return AudioFormat(sampleRate: rate, layout: .usual(channelCount: Int(channels)))
  }

  /// Goes to a frame or, in a damaged file, near it; the C function is `mpg123_seek`.
  ///
  /// - Returns: where it went.
  func seek(to frame: Int64) throws(SoundFileError) -> Int64 {
    let reached = Int64(mpg123_seek(handle, off_t(frame), SEEK_SET))
    if reached < 0 { throw error("mpg123_seek", cause: "to frame \(frame): \(words)") }
    return reached
  }

  /// The outcome of `read`.
  enum ReadResult {
    case more, newFormat, end
  }

  /// The corresponding C function is `mpg123_read`.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, filled: inout Int
  ) throws(SoundFileError) -> ReadResult {
    filled = 0
    switch mpg123_read(handle, buffer.baseAddress, buffer.count, &filled) {
    case MPG123_OK.rawValue: return .more
    case MPG123_NEW_FORMAT.rawValue: return .newFormat
    case MPG123_DONE.rawValue where source.failure == 0: return .end
    default: throw error("mpg123_read", cause: words)
    }
  }

  private var words: String { String(cString: mpg123_strerror(handle)) }

  private func check(_ result: Int32, _ call: String) throws(SoundFileError) {
    if result != MPG123_OK.rawValue { throw error(call, cause: words) }
  }

  private func error(_ call: String, cause: String) -> SoundFileError {
    if source.failure != 0 {
      return SoundFileError(
        .unreadable, path: path, call: "pread", code: source.failure,
        cause: SystemError(code: source.failure).text)
    }
    return SoundFileError(
      .broken, path: path, call: call, code: mpg123_errcode(handle), cause: cause)
  }
}
