// SPDX-License-Identifier: Apache-2.0

/// Places of the MPEG frames of a file of a constant bit rate, by calculation.
///
/// Nothing else tells them exactly: the table of a Xing header is one of hundredths, and frames have no numbers.
struct MPEGPlaces {
  /// Frames of sound in an MPEG frame.
  let framesEach: Int64
  private let file: RegularFile
  private let first: Int64
  private let header: MPEGHeader
  /// Average length of an MPEG frame, in `header.sampleRate`ths of a byte.
  private let length: Int64

  /// The places in a file; nil where the header does not call the rate constant, or its counts of frames and bytes do not fit each other.
  init?(of stream: MPEGStream, in file: RegularFile) throws(SoundFileError) {
    first = stream.firstFrame + Int64(stream.header.length)
    guard stream.promisesConstantRate, let frames = stream.promisedFrames,
      let bytes = stream.promisedBytes, let header = MPEGHeader(try file.word(at: first)),
      header.layer == 3, header.constant == stream.header.constant
    else { return nil }
    (self.file, self.header, framesEach) = (file, header, header.isLowRate ? 576 : 1_152)
    length = framesEach / 8 * Int64(header.bitRate)
    let calculated = Int64(stream.header.length) + frames * length / Int64(header.sampleRate)
    guard abs(calculated - bytes) <= Int64(header.length) else { return nil }
  }

  /// Place in the file of MPEG frame `number`, from 0; nil where no frames stand as calculated.
  func place(of number: Int64) throws(SoundFileError) -> Int64? {
    let calculated = first + number * length / Int64(header.sampleRate)
    // Encoders round in their own ways.
    for place in [calculated, calculated + 1, calculated - 1] where try isFrame(at: place) {
      return place
    }
    return nil
  }

  /// True where frames of the rate follow each other from `start`.
  private func isFrame(at start: Int64) throws(SoundFileError) -> Bool {
    var place = start
    for _ in 0..<MPEGStream.framesInARow {
      guard let next = MPEGHeader(try file.word(at: place)), next.constant == header.constant,
        next.bitRate == header.bitRate
      else { return false }
      place += Int64(next.length)
    }
    return true
  }
}
