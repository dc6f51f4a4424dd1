// SPDX-License-Identifier: Apache-2.0

@testable import Attacca

/// A source that ends earlier than it says, with an error or without.
final class CutSource: FrameSource {
  struct Failure: Error {}

  private let source: any FrameSource
  private let place: Int64
  private let fails: Bool
  private var position: Int64 = 0

  /// Of `source`, which is not open yet, the frames before `place`.
  init(_ source: any FrameSource, at place: Int64, fails: Bool) {
    (self.source, self.place, self.fails) = (source, place, fails)
  }

  var format: AudioFormat { source.format }
  var frameCount: Int64? { source.frameCount }
  var tags: Tags { source.tags }
  var truncation: SoundFileError? { nil }

  func open() throws { try source.open() }

  func seek(to frame: Int64) throws {
    try source.seek(to: frame)
    position = frame
  }

  func read(frames: Int) throws -> Chunk? {
    guard position < place else {
      if fails { throw Failure() }
      return nil
    }
    let chunk = try source.read(frames: min(frames, Int(place - position)))
    position += Int64(chunk?.frameCount ?? 0)
    return chunk
  }
}
