// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// One C library's way of decoding one open file, on one thread at a time.
protocol FrameDecoder: AnyObject {
  /// Of the next frames.
  var format: AudioFormat { get }
  var fileFormat: FileFormat { get }
  /// Heard frames; `nil` when unknown.
  var frameCount: Int64? { get }
  /// Set where only reading the whole file tells its length.
  var lengthSearch: LengthSearch? { get }
  /// Tags and chapters, which are read with the headers.
  var metadata: FileMetadata { get }
  var details: StreamDetails { get }
  /// Set once the end came early.
  var truncation: SoundFileError? { get }

  /// Decodes the whole file anew, and compares its samples with the checksum that it bears.
  ///
  /// - Returns: `nil` where it bears none.
  func hasItsChecksum(madeProgress: () -> Void) throws(SoundFileError) -> Bool?

  /// The pictures in the file, whose bytes are not read.
  func pictures() throws(SoundFileError) -> [Picture]

  /// The bytes of the helper's picture with a number.
  func bytes(ofPicture number: Int, count: Int) throws(SoundFileError) -> [UInt8]

  /// Goes to `frame`, exactly. Past the end is the end.
  func seek(to frame: Int64) throws(SoundFileError)

  /// Decodes up to `frames` frames of `format`.
  ///
  /// - Returns: frames decoded; 0 at the end, or with another `format` where the next frames are
  ///   of that one.
  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int
}

extension FrameDecoder {
  var lengthSearch: LengthSearch? { nil }
  var details: StreamDetails { StreamDetails(fileFormat.container == .ogg ? .lastPage : .header) }
  func hasItsChecksum(madeProgress: () -> Void) throws(SoundFileError) -> Bool? { nil }
  func bytes(ofPicture number: Int, count: Int) throws(SoundFileError) -> [UInt8] { [] }
}
