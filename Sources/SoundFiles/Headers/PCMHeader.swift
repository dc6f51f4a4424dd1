// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// The statements of an uncompressed container's header, read before libsndfile is asked.
///
/// libsndfile clamps lengths to the file without a word, plays nothing where a recorder crashed
/// before it wrote the length, and a part of files whose length overflowed.
struct PCMHeader {
  var sampleRate: Double = 0
  var channelCount = 0
  /// Bytes of one frame; `nil` for codes of variable or packed frames.
  var bytesPerFrame: Int?
  /// Number of the code of a WAVE file's samples where it is none of those that libsndfile decodes.
  var foreignCode: Int?
  /// libsndfile's subtype and byte order for reading the samples without the header; `nil` where
  /// that cannot be done.
  var rawFormat: Int32?
  /// The first byte of the samples.
  var dataOffset: Int64 = 0
  /// Bytes of samples that the header states; `nil` for "up to the end of the file".
  var declaredBytes: Int64?
  /// True where other chunks behind the samples reach the end of the file exactly: a declared length
  /// of 0 is then meant.
  var isComplete = false
  /// The file's own speakers, as many as `channelCount` was when they were read.
  ///
  /// libsndfile is not asked: it reads past the end of its map where that stands before or behind
  /// another channel count than the one that holds.
  var layout: ChannelLayout?

  /// Bytes of samples that the file has.
  func availableBytes(in file: RegularFile) -> Int64 { max(file.size - dataOffset, 0) }

  /// The place and number of the samples.
  enum Extent: Equatable {
    /// The declared bytes are there.
    case whole
    /// Fewer bytes than declared are there.
    case cut(expectedFrames: Int64)
    /// No length was written; the rest of the file are samples.
    case neverFinished
    /// The 32-bit length field overflowed: so many bytes are meant.
    case overflowed(bytes: Int64)
  }

  /// Judges the declared length by the file.
  func extent(in file: RegularFile) -> Extent {
    let available = availableBytes(in: file)
    guard let declared = declaredBytes, let frame = bytesPerFrame, frame > 0 else { return .whole }
    if declared == 0, !isComplete, available >= frame, rawFormat != nil { return .neverFinished }
    guard file.size != RegularFile.unknownSize else { return .whole }
    if declared > available { return .cut(expectedFrames: declared / Int64(frame)) }
    // A wrapped length leaves whole multiples of 4 GiB unaccounted for; chunks behind the samples
    // are small beside that.
    let wrap = Int64(1) << 32
    if !isComplete, available - declared >= wrap, rawFormat != nil {
      return .overflowed(bytes: declared + (available - declared) / wrap * wrap)
    }
    return .whole
  }
}
