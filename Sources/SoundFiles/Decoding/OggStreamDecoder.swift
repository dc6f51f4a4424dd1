// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// An Ogg stream whose end cannot be looked at: link by link, as their bytes come.
final class OggStreamDecoder: FrameDecoder {
  let fileFormat: FileFormat
  private(set) var frameCount: Int64?

  private let file: RegularFile
  private var decoder: any FrameDecoder
  private var end: OggLinkEnd
  /// Frames of all links that have been read.
  private var position: Int64 = 0
  private var hasOneFormat = true
  private var isSpent = false

  init(file: RegularFile) throws(SoundFileError) {
    self.file = file
    (decoder, end) = try Self.open(file, from: 0)
    fileFormat = decoder.fileFormat
  }

  var format: AudioFormat { decoder.format }
  /// Tags and chapters of the present link.
  var metadata: FileMetadata { decoder.metadata }
  var truncation: SoundFileError? { decoder.truncation }
  var details: StreamDetails { StreamDetails(.packets) }

  private static func open(
    _ file: RegularFile, from start: Int64
  ) throws(SoundFileError) -> (any FrameDecoder, OggLinkEnd) {
    let end = OggLinkEnd(of: file, from: start)
    let link = start..<RegularFile.unknownSize
    let decoder: any FrameDecoder =
      switch try Signature.ogg(file, from: start) {
      case .vorbis: try VorbisDecoder(file: file, link: link, end: end)
      case .oggFLAC: try FLACDecoder(ogg: file, link: link, end: end)
      case .opus: try OpusLinkDecoder(file: file, link: link, end: end)
      case .libsndfile, .flac, .mpeg, .helper:
        throw SoundFileError(
          .unsupported, path: file.path, call: "Signature",
          cause: "Ogg with another code than FLAC, Opus and Vorbis, which comes in its order alone")
      }
    return (decoder, end)
  }

  func pictures() throws(SoundFileError) -> [Picture] { try decoder.pictures() }

  func seek(to frame: Int64) throws(SoundFileError) {
    if frame < position || isSpent {
      (decoder, end) = try Self.open(file, from: 0)
      (position, isSpent) = (0, false)
    }
    let scratch = FrameStorage(capacity: 4096 * 8)
    while position < frame {
      let before = format
      let count = try read(into: scratch.samples, frames: Int(min(4096, frame - position)))
      if count == 0, format == before { break }
    }
  }

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    let before = format
    while !isSpent {
      let count = try decoder.read(into: samples, frames: frames)
      position += Int64(count)
      if count > 0 || format != before { return count }
      guard try advance() else { break }
      if format != before {
        hasOneFormat = false
        return 0
      }
    }
    return 0
  }

  /// Goes on with the next link.
  ///
  /// - Returns: false at the end.
  private func advance() throws(SoundFileError) -> Bool {
    try end.find()
    guard let next = end.end, next < file.size, try file.bytes(at: next, count: 27).count == 27
    else {
      isSpent = true
      if hasOneFormat { frameCount = position }
      return false
    }
    (decoder, end) = try Self.open(file, from: next)
    return true
  }
}
