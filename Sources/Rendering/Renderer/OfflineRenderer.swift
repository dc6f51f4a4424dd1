// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Preconditions
public import SampleBuffers

/// Renders the timeline as fast as it is pulled, into memory or a file; deterministic.
///
/// The frames pulled are those that a device of the same format would have been given: a pause and
/// a flush fade out from the frame that is pulled next, as they do from the next frame that a
/// device can still replace.
public final class OfflineRenderer: AudioRenderer, @unchecked Sendable {
  // @unchecked: adds no state to its superclass but constants.
  private let offline: OfflineOutput

  /// A renderer of `format`.
  ///
  /// - Precondition: the format's rate is `AudioFormat.lowestOutputRate` or more.
  public init(format: AudioFormat, quality: RateConverter.Quality = .veryHigh) {
    require(
      format.sampleRate >= AudioFormat.lowestOutputRate,
      "a renderer of \(format.sampleRate) Hz; \(AudioFormat.lowestOutputRate) is the least")
    offline = OfflineOutput(format: format)
    super.init(output: offline, quality: quality)
  }

  /// The host time at which stream frame `frame`, counted from the first one pulled, counts as
  /// heard: this renderer's clock runs by what is pulled, from the moment it was made.
  ///
  /// For starts at a host time, which are so deterministic; the first nanosecond of the frame.
  public func hostTime(ofStreamFrame frame: Int64) -> UInt64 {
    let rate = Int128(format.sampleRate)
    let scaled = Int128(frame) * 1_000_000_000
    // Rounded up, as division does with what is negative.
    let passed = (scaled > 0 ? scaled + rate - 1 : scaled) / rate
    return UInt64(clamping: Int128(offline.epoch) + passed)
  }

  /// Renders up to `frames` frames into `target`, and moves the timeline on by as many.
  ///
  /// Does not wait: less comes where less is enqueued, silence where media time runs on
  /// (`RenderSynchronizer.whenDry`), nothing while paused. What a player was asked for and is still preparing is
  /// heard from a later call on, and a pause fades out what is enqueued by then: a decoder in the background
  /// may be behind who pulls. The thread that pulls is the only one that moves time.
  ///
  /// `target` has room for `frames` interleaved frames of `format`.
  ///
  /// - Returns: the frames rendered.
  public func render(frames: Int, into target: UnsafeMutablePointer<Float>) -> Int {
    render(frames: frames, into: target, isToRunOn: true)
  }

  private func render(
    frames: Int, into target: UnsafeMutablePointer<Float>, isToRunOn: Bool
  ) -> Int {
    guard offline.withLock({ attachedTap != nil }) else {
      return pull(frames: frames, into: target, isToRunOn: isToRunOn)
    }
    // What is told was recorded as the device was given it: of what it holds.
    var done = 0
    while done < frames {
      let piece = min(frames - done, format.sampleRate / 2)
      let count = pull(
        frames: piece, into: target + done * format.channelCount, isToRunOn: isToRunOn)
      tellTap()
      done += count
      if count < piece { break }
    }
    return done
  }

  private func pull(
    frames: Int, into target: UnsafeMutablePointer<Float>, isToRunOn: Bool
  ) -> Int {
    offline.pull(
      frames: frames, into: target,
      contentEnd: { isToRunOn && isRunningOn ? StreamFrame(.max / 2) : line.ring.end }
    ) {
      target, frame, count in
      render(target, frame, count)
      let end = frame + count
      if end > line.written { record(max(frame, line.written)..<end) }
      line.wrote(upTo: max(line.written, end))
    }
  }

  /// Renders until the last frame of finished media, waiting where less is enqueued, whatever
  /// `RenderSynchronizer.whenDry` says.
  ///
  /// Paused, by a sleep timer too, it waits until another thread plays on. What ends the wait before the last
  /// frame is a player's `stop()`, or `flush()` and `finishEnqueuing()`.
  ///
  /// - Parameters:
  ///   - frames: the size of the pieces, 1 or more.
  ///   - body: takes a piece; called on the calling thread, valid only during the call.
  /// - Throws: what `body` throws.
  public func renderToEnd<E: Error>(
    frames: Int = 32_768, _ body: (UnsafeBufferPointer<Float>) throws(E) -> Void
  ) throws(E) {
    let channels = format.channelCount
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: frames * channels)
    defer { memory.deallocate() }
    while true {
      let count = render(frames: frames, into: memory, isToRunOn: false)
      if count > 0 {
        try body(UnsafeBufferPointer(start: memory, count: count * channels))
      } else if offline.withLock({ isOver }) {
        return
      } else {
        offline.waitForContent(contentEnd: { line.ring.end }, isOver: { isOver })
      }
    }
  }
}
