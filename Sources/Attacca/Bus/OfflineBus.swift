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
  /// Does not wait: less comes where a voice that plays has less enqueued, nothing while all are paused. The
  /// thread that pulls is the only one that moves time.
  ///
  /// `target` has room for `frames` interleaved frames of `format`.
  ///
  /// - Returns: the frames rendered.
  public func render(frames: Int, into target: UnsafeMutablePointer<Float>) -> Int {
    let (channels, largest) = (format.channelCount, format.sampleRate / 2)
    var done = 0
    while done < frames {
      // No further than a voice's stop, which is told there, nor than what a tap keeps.
      let piece = min(frames - done, largest)
      let room = withLock { Int(clamping: commonEnd - offline.estimatedRead()) }
      let count = pull(frames: min(piece, max(0, room)), into: target + done * channels)
      guard count > 0 else { break }
      tellTaps()
      done += count
    }
    return done
  }

  /// Renders until every voice has finished, and its last frame is rendered, waiting where less is enqueued.
  ///
  /// A voice that nothing was enqueued for has not finished; one that is released is not waited for.
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
      let count = render(frames: frames, into: memory)
      if count > 0 {
        try body(UnsafeBufferPointer(start: memory, count: count * channels))
      } else if withLock({ isOver }) {
        return
      } else {
        offline.waitForContent(contentEnd: { commonEnd }, isOver: { isOver })
      }
    }
  }

  private var commonEnd: StreamFrame { mix.commonEnd(after: offline.estimatedRead()) }

  private func pull(frames: Int, into target: UnsafeMutablePointer<Float>) -> Int {
    offline.pull(frames: frames, into: target, contentEnd: { commonEnd }) { target, frame, count in
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
