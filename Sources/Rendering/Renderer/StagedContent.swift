// SPDX-License-Identifier: Apache-2.0

package import MediaTime
package import SampleBuffers

/// Converted audio that is ready to be spliced in, with the warm converter that goes on from it.
package final class StagedContent: @unchecked Sendable {
  // @unchecked: filled by one thread, then handed with a splice to the output's thread.
  let frames: StagedFrames
  let conversion: ConversionChain
  /// Format that it was converted to.
  let format: AudioFormat
  private(set) var isFinished = false
  /// Frames at its end in which effects die away.
  private(set) var tail = 0
  /// Nothing else is there to be heard, though more may be enqueued.
  var isAll = false
  /// The generation of the line's content that it is made from, and of no use to another; nil for any.
  var generation: Int?
  /// The number of the start that it is the content of; nil for none.
  var start: Int?
  /// Buffers that wait in `conversion`, as what is staged holds no more.
  private(set) var pendingBuffers = 0

  init(frames: StagedFrames, conversion: ConversionChain, format: AudioFormat) {
    (self.frames, self.conversion, self.format) = (frames, conversion, format)
  }
}

extension StagedContent: ConvertedFramesTarget {
  func makeRoom(from media: TimelineFrame?, frames: Int) -> Bool {
    if let media { self.frames.pad(to: media) }
    // What finds no room waits in the conversion.
    return self.frames.room > 0 && media.map { $0 <= self.frames.end } ?? true
  }

  func append(_ samples: UnsafeBufferPointer<Float>, media: TimelineFrame, isTail: Bool) -> Int {
    guard let base = samples.baseAddress else { return 0 }
    let before = frames.count
    let taken = frames.append(base, media: media, frames: samples.count / frames.channelCount)
    if isTail { tail += frames.count - before }
    return taken
  }

  func pendingBuffers(_ count: Int) { pendingBuffers = count }

  func finished() { isFinished = true }
}

extension AudioRenderer {
  /// Converts `buffers` for a splice whose first frame is for `time`.
  ///
  /// Takes the time of converting them; nothing that plays is touched. No more is staged than a line
  /// has room for: the rest waits in the conversion, and follows as if it was enqueued later.
  ///
  /// `isFinished` says that nothing follows `buffers`, `fadesIn` that `time` lies in the middle of a sound, `isReversed` that
  /// they, and their times, are mirrored, `parts` where their parts begin that have gains of their own. What
  /// lies before `begin`, if that is given, is there for effects only, and is not heard.
  package func stage(
    _ buffers: [SampleBuffer], from time: RationalTime, heardFrom begin: RationalTime? = nil,
    isFinished: Bool, fadesIn: Bool,
    isReversed: Bool = false, parts: [ContentPart] = []
  ) -> StagedContent {
    let (format, pace, effects, heard, most) = output.withLock {
      let pace = wanted.speed.pace.directed(isReversed)
      // The rest of the line is for what is on its way to the listener, a device's buffer and a block.
      let most =
        Self.capacity(of: output, self.format, pace) - Int(output.traits.targetLength)
        - self.format.sampleRate / 2
      return (self.format, pace, wanted.effects.setting, self.conversion, most)
    }
    let conversion = ConversionChain(
      output: format, quality: quality, pace: pace, effects: effects, after: heard)
    let rate = conversion.timelineRate
    let end = buffers.last?.endTime ?? time
    // A converter's withheld frames and rounding come on top.
    let length = max(0, (end - time).frames(at: rate))
    let slack = 2 * conversion.heldFrames(from: buffers.map(\.format.sampleRate))
    let staged = StagedContent(
      frames: StagedFrames(
        media: time.timelineFrame(at: rate), rate: rate, channelCount: format.channelCount,
        capacity: length < Int64(most) ? min(Int(length) + slack, most) : most),
      conversion: conversion, format: format)
    (staged.frames.fadesIn, staged.frames.isReversed) = (fadesIn, isReversed)
    staged.frames.gains = parts.map { $0.gain(at: rate) }
    for buffer in buffers { staged.conversion.enqueue(buffer, into: staged) }
    if isFinished { staged.conversion.finish(into: staged) }
    if let begin { staged.frames.skip(to: begin.timelineFrame(at: rate)) }
    return staged
  }

  /// Replaces what is heard from `time` on by `staged`; nil for as soon as possible.
  ///
  /// `completion` is called with the output's lock held: with `.late` if the frame of `until` could
  /// not be replaced any more.
  func replace(
    from time: RationalTime?, until: RationalTime? = nil, continuing generation: Int? = nil,
    with staged: StagedContent, fade: Fade, completion: SpliceCompletion? = nil
  ) {
    perform(
      .replace(
        at: time.map { SplicePlace(from: $0, until: until, generation: generation) }, staged,
        fade: fade.frames(at: staged.format.sampleRate), completion))
  }
}
