// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// The frames of an item of a rendering whose items overlap: up to the middles of its overlaps.
final class BouncedItem: FrameSource {
  private let whole: any FrameSource
  private let mixed: CrossfadedSource
  private let index: Int
  private let overlaps: BounceOverlaps
  /// Its frames among those of the whole; the end is nil for the source's own.
  private var frames: (start: Int64, end: Int64?) = (0, nil)
  private var isMixed = false
  /// The next frame, in the whole.
  private var position: Int64 = 0

  /// Item `index` of `overlaps`, whose source is not open yet.
  init(_ whole: any FrameSource, _ index: Int, in overlaps: BounceOverlaps) {
    (self.whole, self.index, self.overlaps) = (whole, index, overlaps)
    mixed = CrossfadedSource(whole, at: 0)
  }

  func open() throws {
    try whole.open()
    let (entry, exit) = overlaps.find(index, whole)
    isMixed = entry != nil || exit != nil
    let layout = whole.format.layout
    if let entry {
      mixed.enter(
        OverlapMix(entry, isExit: false, layout: layout) { [overlaps] in
          try overlaps.opened(entry.transition.leaving.item)
        })
      frames.start = entry.entering.frames
    }
    if let exit {
      mixed.leave(
        OverlapMix(exit, isExit: true, layout: layout) { [overlaps] in
          try overlaps.opened(exit.transition.entering.item)
        })
      frames.end = exit.leaving.length - exit.leaving.frames
    }
    if frames.start > 0 { try seek(to: 0) }
  }

  var format: AudioFormat { whole.format }
  var tags: Tags { whole.tags }
  var truncation: SoundFileError? { whole.truncation }
  /// False for an item that overlaps: the other one is converted from the frame on at which reading began, and frames
  /// of a part that begins later would differ.
  var canBeReadInParts: Bool { whole.canBeReadInParts && !isMixed }

  var frameCount: Int64? {
    whole.frameCount.map { max(0, min($0, frames.end ?? .max) - frames.start) }
  }

  func seek(to frame: Int64) throws {
    position = frames.start + frame
    try mixed.seek(to: position)
  }

  func read(frames count: Int) throws -> Chunk? {
    let left = frames.end.map { $0 - position } ?? .max
    // Silence was in place of its last frames.
    if left <= 0, let failure = mixed.failure { throw failure }
    guard left > 0, let chunk = try mixed.read(frames: Int(min(Int64(count), left))) else {
      return nil
    }
    position += Int64(chunk.frameCount)
    return chunk
  }

  func cancel() { mixed.cancel() }
}
