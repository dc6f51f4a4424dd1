// SPDX-License-Identifier: Apache-2.0

import CSndFile
import Glibc

/// One `SNDFILE` and the bytes it reads.
final class SndFileHandle {
  /// As libsndfile found it.
  let info: SF_INFO
  /// Frames, or `nil` where libsndfile does not know: it then says `INT64_MAX`.
  var frames: Int64? { info.frames == .max ? nil : info.frames }

  private let path: String
  private let source: ByteSource
  private let handle: OpaquePointer

  /// Opens the bytes of `window`; with a `rawFormat` they are samples without a header, with a
  /// `head` that is their header; of a link of Ogg that ends with `streamEnd` it is shown `tail` for the end.
  init(
    file: RegularFile, window: Range<Int64>, after head: [UInt8] = [],
    rawFormat: RawFormat? = nil, streamEnd: OggLinkEnd? = nil, tail: [UInt8] = []
  ) throws(SoundFileError) {
    path = file.path
    let source = ByteSource(file: file, window: window, after: head, before: tail)
    source.linkEnd = streamEnd
    self.source = source
    var info = SF_INFO()
    if let rawFormat {
      info.format = Int32(SF_FORMAT_RAW) | rawFormat.subtype
      (info.samplerate, info.channels) = (rawFormat.sampleRate, rawFormat.channelCount)
    }
    let (opened, code, cause) = Self.open(source, &info)
    guard let opened else {
      if source.failure != 0 { throw Self.unreadable(source, file.path) }
      let kind: SoundFileError.Kind =
        code == SF_ERR_UNSUPPORTED_ENCODING || cause.contains("unimplemented")
        ? .unsupported : .broken
      throw SoundFileError(
        kind, path: file.path, call: "sf_open_virtual", code: code, cause: cause)
    }
    handle = opened
    self.info = info
  }

  deinit { sf_close(handle) }

  /// The format of samples that have no header.
  struct RawFormat {
    let subtype: Int32
    let sampleRate: Int32
    let channelCount: Int32
  }

  private static func open(
    _ source: ByteSource, _ info: inout SF_INFO
  ) -> (handle: OpaquePointer?, code: Int32, cause: String) {
    var io = SF_VIRTUAL_IO(
      get_filelen: { ByteSource.from($0!).size },
      seek: { offset, whence, pointer in
        ByteSource.from(pointer!).seek(to: offset, whence: whence)
      },
      read: { buffer, count, pointer in
        let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
        return sf_count_t(max(ByteSource.from(pointer!).read(into: bytes), 0))
      },
      write: { _, _, _ in 0 },
      tell: { ByteSource.from($0!).position })
    return OpenTurn.libsndfile.take {
      if let handle = sf_open_virtual(&io, Int32(SFM_READ), &info, source.pointer) {
        return (handle, 0, "")
      }
      return (nil, sf_error(nil), String(cString: sf_strerror(nil)))
    }
  }

  /// The corresponding C function is `sf_seek`; never called where the length is unknown, nor for
  /// Opus: it goes round for ever there where times in the file are wrong.
  func seek(to frame: Int64) throws(SoundFileError) {
    let reached = sf_seek(handle, frame, SEEK_SET)
    if source.failure != 0 { throw Self.unreadable(source, path) }
    guard reached == frame else {
      throw SoundFileError(
        .broken, path: path, call: "sf_seek", code: sf_error(handle),
        cause: "to frame \(frame): \(String(cString: sf_strerror(handle)))")
    }
  }

  /// The corresponding C function is `sf_readf_float`.
  ///
  /// - Returns: frames read, 0 at the end.
  func read(
    into samples: UnsafeMutablePointer<Float>, frames: Int
  ) throws(SoundFileError) -> Int {
    let count = Int(sf_readf_float(handle, samples, sf_count_t(frames)))
    if source.failure != 0 { throw Self.unreadable(source, path) }
    return count
  }

  /// True where all bytes have been read.
  var isAtEnd: Bool { source.position >= source.size }

  /// libsndfile's code for what last went wrong with this file.
  var errorCode: Int32 { sf_error(handle) }

  /// One of the `SF_STR_*` fields.
  func string(_ field: Int) -> String? {
    guard let text = sf_get_string(handle, Int32(field)), text.pointee != 0 else { return nil }
    return String(tagBytes: UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  private static func unreadable(_ source: ByteSource, _ path: String) -> SoundFileError {
    SoundFileError(
      .unreadable, path: path, call: "pread", code: source.failure,
      cause: SystemError(code: source.failure).text)
  }
}
