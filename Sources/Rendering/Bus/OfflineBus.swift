// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Preconditions
public import SampleBuffers

/// A bus whose sum is pulled as fast as it is wanted, into memory or a file; deterministic.
///
/// The frames pulled are those that a device of the same format would have been given, as those of an
/// `OfflineRenderer` are. A voice that plays is waited for until it has given something: here nobody runs dry
/// because a decoder is behind.
public final class OfflineBus: AudioBus, @unchecked Sendable {
  // @unchecked: adds no state to its superclass but a constant.
  private let offline: OfflineOutput

  /// A bus of `format`.
  ///
  /// - Precondition: the format's rate is `AudioFormat.lowestOutputRate` or more.
  public init(format: AudioFormat) {
    require(
      format.sampleRate >= AudioFormat.lowestOutputRate,
      "a bus of \(format.sampleRate) Hz; \(AudioFormat.lowestOutputRate) is the least")
    offline = OfflineOutput(format: format)
    super.init(device: offline)
  }

  /// Renders up to `frames` frames of the sum into `target`, and moves the voices on by as many.
  ///
  /// Does not wait: less comes where a voice that plays has less enqueued, nothing while all are paused. What a
  /// player was asked for and is still preparing is heard from a later call on, and a pause fades out what is
  /// enqueued by then, as with `OfflineRenderer.render(frames:into:)`. The thread that pulls is the only one that
  /// moves time.
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
    let (channels, largest) = (format.channelCount, format.sampleRate / 2)
    var done = 0
    while done < frames {
      // No further than a voice's stop, which is told there, nor than what a tap keeps.
      let piece = min(frames - done, largest)
      let room = withLock { Int(clamping: commonEnd(isToRunOn) - offline.position) }
      let count = pull(
        frames: min(piece, max(0, room)), into: target + done * channels, isToRunOn)
      guard count > 0 else { break }
      tellTaps()
      done += count
    }
    return done
  }

  /// Renders until every voice has finished, and its last frame is rendered, waiting where less is enqueued,
  /// whatever `RenderSynchronizer.whenDry` says.
  ///
  /// A voice that nothing was enqueued for has not finished; one that is released is not waited for. A pause of all is
  /// waited out as `OfflineRenderer.renderToEnd` does.
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
      } else if withLock({ isOver }) {
        return
      } else {
        offline.waitForContent(contentEnd: { commonEnd(false) }, isOver: { isOver })
      }
    }
  }

  /// The frame up to which all that play have given something, or silence, where that `isToRunOn`.
  private func commonEnd(_ isToRunOn: Bool) -> StreamFrame {
    let end = mix.commonEnd(after: offline.position)
    guard !isToRunOn else { return end }
    let ends = voices.compactMap { $0.events as? AudioRenderer }.filter { $0.isRunningOn }.map {
      $0.line.ring.end - Int64(mix.latency)
    }
    return min(end, ends.min() ?? end)
  }

  private func pull(
    frames: Int, into target: UnsafeMutablePointer<Float>, _ isToRunOn: Bool
  ) -> Int {
    offline.pull(frames: frames, into: target, contentEnd: { commonEnd(isToRunOn) }) {
      target, frame, count in
      mix.render(from: frame, frames: count, into: target)
    }
  }

  /// Tells what was rendered to those who listen to single voices.
  private func tellTaps() {
    let renderers = withLock {
      voices.compactMap { $0.events as? AudioRenderer }.filter { $0.attachedTap != nil }
    }
    for renderer in renderers { renderer.tellTap() }
    if withLock({ attachedTap != nil }) { tellTap() }
  }
}
