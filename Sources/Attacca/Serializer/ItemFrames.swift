// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

/// The frames of a source that an item plays: those of its clip.
final class ItemFrames: FrameSource {
  private let source: any FrameSource
  private let item: PlaylistItem
  /// The clip in frames of the source, once that is open; the end is nil for the source's own.
  private var clip: (start: Int64, end: Int64?) = (0, nil)
  /// The next frame, in the source.
  private var position: Int64 = 0

  /// Plays what `item` says of `source`, which may have to be opened.
  init(_ source: any FrameSource, of item: PlaylistItem) {
    (self.source, self.item) = (source, item)
  }

  func open() throws {
    try source.open()
    let rate = source.format.sampleRate
    let start = item.start.nearestFrame(at: rate)
    clip = (start, item.end.map { max(start, $0.nearestFrame(at: rate)) })
    if start > 0 { try seek(to: 0) }
  }

  var format: AudioFormat { source.format }
  var tags: Tags { source.tags }
  var chapters: [Chapter] { source.chapters.clipped(from: item.start, to: item.end) }
  var canBeReadInParts: Bool { source.canBeReadInParts }

  var frameCount: Int64? {
    source.frameCount.map { max(0, min($0, clip.end ?? .max) - clip.start) }
  }

  /// A source that ends early behind the clip is none that does.
  var truncation: SoundFileError? {
    if let end = clip.end, position >= end { nil } else { source.truncation }
  }

  func seek(to frame: Int64) throws {
    position = clip.start + frame
    try source.seek(to: position)
  }

  func read(frames: Int) throws -> Chunk? {
    let left = clip.end.map { $0 - position } ?? .max
    guard left > 0, let chunk = try source.read(frames: Int(min(Int64(frames), left))) else {
      return nil
    }
    position += Int64(chunk.frameCount)
    return chunk
  }

  func takeTagChanges() -> [TagChange] {
    source.takeTagChanges().map {
      TagChange(frame: max(0, $0.frame - clip.start), tags: $0.tags)
    }
  }

  func cancel() { source.cancel() }
}

extension MediaTime {
  /// The frame at a rate that begins nearest to this time, which is numeric.
  fileprivate func nearestFrame(at rate: Int) -> Int64 {
    // No item lasts 34,000 years, and the product has to fit.
    min(RationalTime(self), RationalTime(frames: 1 << 40, rate: 1)).frames(at: rate)
  }
}
