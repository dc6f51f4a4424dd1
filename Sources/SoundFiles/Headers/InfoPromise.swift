// SPDX-License-Identifier: Apache-2.0

/// Judgement of what an MP3's Xing or Info header promises.
enum InfoPromise {
  /// The frame count stands.
  case holds
  /// There is none, or no frame count in it.
  case missing
  /// It is that of the first of several joined files.
  case joined
  /// More frames than bytes could hold: the header is not worth reading.
  case absurd

  init(of stream: MPEGStream, in file: RegularFile) throws(SoundFileError) {
    self = .holds
    guard let frames = stream.promisedFrames, frames > 0 else {
      self = .missing
      return
    }
    let bytes = file.size - stream.firstFrame
    // 24 bytes are the shortest frame of layer 3: 8 kbit/s at 24 kHz. A file cut short has more
    // promised bytes than bytes, but no more frames than those would hold.
    if frames > max(bytes, stream.promisedBytes ?? 0, 1) / 24 + 1 { self = .absurd }
    // A tag of 128 bytes behind the frames is not worth a request, nor is a file that would have to come first.
    let rest = bytes - (stream.promisedBytes ?? 0)
    if file.isRemote, file.isSequential || rest <= 128 { return }
    // Another frame, or a tag for what follows, behind the promised bytes.
    if let promised = stream.promisedBytes {
      let next = try file.bytes(at: stream.firstFrame + promised, count: 4)
      let isJoined =
        next.text(at: 0, 3) == "ID3"
        ? try Self.followsTag(at: stream.firstFrame + promised, in: file)
        : MPEGHeader(UInt32(next.big(at: 0, 4))) != nil
      if isJoined { self = .joined }
    }
  }

  /// Tells whether frames follow the tag at `place`, which is else one that stands at the end.
  private static func followsTag(
    at place: Int64, in file: RegularFile
  ) throws(SoundFileError) -> Bool {
    let end = try MPEGStream.endOfTags(file, from: place)
    return try MPEGStream.firstRun(in: file, from: end) != nil
  }
}
