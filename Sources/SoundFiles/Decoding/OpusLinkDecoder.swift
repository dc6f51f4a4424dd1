// SPDX-License-Identifier: Apache-2.0

import CSndFile
import SampleBuffers

/// A link of Ogg Opus whose end cannot be looked at, by libsndfile.
///
/// That looks for the last page of a file before anything else: it is shown one, at an end that is never read up to.
final class OpusLinkDecoder: FrameDecoder {
  let format: AudioFormat
  let fileFormat = FileFormat(container: .ogg, encoding: .lossy("Opus"))
  let metadata: FileMetadata
  private(set) var frameCount: Int64?
  let truncation: SoundFileError? = nil

  private let comments: OggComments?
  private let handle: SndFileHandle
  private let end: OggLinkEnd
  private let opus: OpusStream
  private var position: Int64 = 0
  private let scale: Int64

  init(file: RegularFile, link: Range<Int64>, end: OggLinkEnd) throws(SoundFileError) {
    guard let opus = try OpusStream(of: file, in: link) else {
      throw SoundFileError(
        .broken, path: file.path, call: "OpusStream", cause: "a link without Opus headers")
    }
    (self.opus, self.end) = (opus, end)
    handle = try SndFileHandle(
      file: file, window: opus.audio..<link.upperBound, after: try opus.headers(before: opus.audio),
      streamEnd: end, tail: opus.unreachedEnd)
    let info = handle.info
    guard (1...8).contains(info.channels), info.samplerate > 0, 48_000 % info.samplerate == 0 else {
      throw SoundFileError(
        .absurdHeader, path: file.path, call: "sf_open_virtual",
        cause: "\(info.samplerate) Hz, \(info.channels) channels")
    }
    scale = 48_000 / Int64(info.samplerate)
    format = AudioFormat(
      sampleRate: Int(info.samplerate), layout: .vorbis(channelCount: Int(info.channels)))
    (comments, metadata) = try OggComments.found(in: link, of: file)
    let scratch = FrameStorage(capacity: 4096 * format.channelCount)
    // What the encoder has put in front.
    var left = Int(opus.preskip / scale)
    while left > 0,
      case let count = try handle.read(into: scratch.samples, frames: min(left, 4096)),
      count > 0
    {
      left -= count
    }
  }

  func pictures() throws(SoundFileError) -> [Picture] { try comments?.pictures() ?? [] }

  func seek(to frame: Int64) throws(SoundFileError) {
    throw SoundFileError(
      .unsupported, path: "", call: "seek", cause: "a link that comes in its order alone")
  }

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    let count = try handle.read(into: samples, frames: frames)
    // The page that says how many of the last packet's frames are heard has been met before they are decoded.
    let most = end.lastGranule.map { ($0 - opus.startGranule - opus.preskip) / scale - position }
    let heard = most.map { Int(max(0, min(Int64(count), $0))) } ?? count
    position += Int64(heard)
    if heard == 0 { frameCount = position }
    return heard
  }
}
