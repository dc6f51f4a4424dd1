// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork
import Glibc

/// The length of something, by decoding all of it.
struct DecodedLength {
  private(set) var length = RationalTime.zero
  /// Frames; nil where parts have different rates.
  var frames: Int64? { hasOneRate ? count : nil }
  private var count: Int64 = 0
  private var rate: Int?
  private var hasOneRate = true

  /// The length of `file`, from where it is.
  init(of file: SoundFile, _ timeout: StallTimeout) throws(SoundFileError) {
    while let chunk = try file.read(frames: 65_536) {
      add(chunk)
      timeout.madeProgress()
    }
  }

  /// The length of all segments of the stream that `source` is; `truncation` becomes what is missing of it.
  init(
    ofStream source: HTTPSource, _ timeout: StallTimeout, _ truncation: inout SoundFileError?
  ) throws(SoundFileError) {
    let frames = source.frameSource(pool: FramePool())
    do {
      try frames.open()
      while let chunk = try Self.next(of: frames) {
        add(chunk)
        timeout.madeProgress()
      }
    } catch let error as SoundFileError {
      guard error.kind == .truncated, count > 0 else { throw error }
      truncation = error
    } catch {
      throw SoundFileError(.unreadable, path: source.name, call: "HLS", cause: "\(error)")
    }
    truncation = truncation ?? frames.truncation
  }

  /// Blocks until there are some; nil at the end.
  private static func next(of frames: any FrameSource) throws -> Chunk? {
    while true {
      do {
        return try frames.read(frames: 65_536)
      } catch let waiting as SourceIsWaiting {
        usleep(UInt32(waiting.wait.milliseconds) * 1_000)
      }
    }
  }

  private mutating func add(_ chunk: Chunk) {
    let (frames, own) = (Int64(chunk.frameCount), chunk.format.sampleRate)
    hasOneRate = hasOneRate && rate ?? own == own
    (rate, count) = (own, count + frames)
    length = length + RationalTime(frames: frames, rate: own)
  }
}
