// SPDX-License-Identifier: Apache-2.0

import Preconditions
import MediaTime
import SampleBuffers

/// Converted audio that is ready to be spliced in, with the warm converter that goes on from it.
final class StagedContent: @unchecked Sendable {
  // @unchecked: filled by one thread, then handed with a splice to the output's thread.
  let frames: StagedFrames
  let conversion: ConversionLine
  /// What it was converted to.
  let format: AudioFormat
  private(set) var isFinished = false

  init(frames: StagedFrames, conversion: ConversionLine, format: AudioFormat) {
    (self.frames, self.conversion, self.format) = (frames, conversion, format)
  }
}

extension StagedContent: ConvertedFramesTarget {
  func makeRoom(from media: Int64?, frames: Int) -> Bool { self.frames.room >= frames }

  func append(_ samples: UnsafeBufferPointer<Float>, media: Int64) {
    guard let base = samples.baseAddress else { return }
    let count = samples.count / frames.channelCount
    let taken = frames.append(base, media: media, frames: count)
    require(taken == count, "staged \(taken) of \(count) frames")
  }

  func pendingBuffers(_ count: Int) {}

  func finished() { isFinished = true }
}

extension AudioRenderer {
  /// Converts `buffers` for a splice whose first frame is for `time`.
  ///
  /// Takes the time of converting them; nothing that plays is touched. `isFinished` says that
  /// nothing follows `buffers`, `fadesIn` that `time` lies in the middle of a sound, `isReversed` that
  /// they, and their times, are mirrored.
  func stage(
    _ buffers: [SampleBuffer], from time: RationalTime, isFinished: Bool, fadesIn: Bool,
    isReversed: Bool = false
  ) -> StagedContent {
    let (format, pace, heard) = output.withLock {
      (self.format, self.pace.directed(isReversed), self.conversion)
    }
    let conversion = ConversionLine(output: format, quality: quality, pace: pace, after: heard)
    let rate = conversion.timelineRate
    let end = buffers.last?.endTime ?? time
    // Silence between them, a converter's withheld frames and rounding come on top.
    let length = max(0, end.frames(at: rate) - time.frames(at: rate))
    let slack = 2 * conversion.heldFrames(from: buffers.map(\.format.sampleRate))
    let staged = StagedContent(
      frames: StagedFrames(
        media: time.frames(at: rate), rate: rate, channelCount: format.channelCount,
        capacity: Int(length) + slack),
      conversion: conversion, format: format)
    (staged.frames.fadesIn, staged.frames.isReversed) = (fadesIn, isReversed)
    for buffer in buffers { staged.conversion.enqueue(buffer, into: staged) }
    if isFinished { staged.conversion.finish(into: staged) }
    return staged
  }

  /// Replaces what is heard from `time` on by `staged`; nil for as soon as possible.
  ///
  /// `completion` is called with the output's lock held: with `.late` if the frame of `until` could
  /// not be replaced any more.
  func replace(
    from time: RationalTime?, until: RationalTime? = nil, with staged: StagedContent, fade: Fade,
    completion: SpliceCompletion? = nil
  ) {
    perform(
      .replace(
        at: time.map { SplicePlace(from: $0, until: until) }, staged,
        fade: fade.frames(at: staged.format.sampleRate), completion))
  }
}
