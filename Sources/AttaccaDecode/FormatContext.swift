// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

/// A file that libavformat has open.
final class FormatContext {
  private(set) var pointer: UnsafeMutablePointer<AVFormatContext>?
  private let bytes: FileBytes

  init(_ file: OpenFile) throws(DecodeFailure) {
    bytes = try FileBytes(file)
    pointer = avformat_alloc_context()
    guard let made = pointer else { throw .noMemory("avformat_alloc_context") }
    made.pointee.pb = bytes.context
    var options: OpaquePointer?
    // Its own handling of edit lists is off by packets at either end: the first time of the stream tells where
    // playing begins, and the table of samples where it ends.
    av_dict_set(&options, "advanced_editlist", "0", 0)
    let opened = avformat_open_input(&pointer, nil, nil, &options)
    av_dict_free(&options)
    guard opened == 0 else {
      throw failure ?? DecodeFailure(.broken, call: "avformat_open_input", opened)
    }
    let found = avformat_find_stream_info(pointer, nil)
    guard found >= 0 else {
      throw failure ?? DecodeFailure(.broken, call: "avformat_find_stream_info", found)
    }
  }

  deinit { avformat_close_input(&pointer) }

  /// Bytes of the file.
  var size: Int64 { bytes.size }

  /// Set once a read of the file has failed.
  var failure: DecodeFailure? {
    guard bytes.failure != 0 else { return nil }
    return DecodeFailure(
      .unreadable, call: "pread", code: bytes.failure, cause: systemText(bytes.failure))
  }
}
