// SPDX-License-Identifier: Apache-2.0
import Preconditions
internal import CPulse
internal import SampleBuffers

extension PlaybackStream {
  /// Replaces what was written from stream frame `frame` on by `frames` new frames; lock held.
  ///
  /// `fill` puts them straight into the memory that the server reads, in blocks of up to 64 KB.
  /// What lies below the server's read index is dropped by it, the rest lands on its frames. What
  /// was written before behind the last frame becomes silence. Does not wait.
  ///
  /// The corresponding PulseAudio calls are `pa_stream_begin_write` and `pa_stream_write`.
  ///
  /// - Parameters:
  ///   - frame: The first stream frame, `firstFrame` or more.
  ///   - frames: How many, 0 or more.
  ///   - token: Has the server asked where the stream is as soon as it has the first block; not where
  ///     there is none.
  ///   - fill: Called with memory for a number of frames and the stream frame of the first; has to
  ///     write all of them.
  /// - Returns: whether the server has been asked: not where 16 questions are open.
  /// - Throws: Where the stream has failed or is closed. Blocks before the failure were written.
  @discardableResult
  public func write(
    at frame: Int64, frames: Int, asking token: Int? = nil,
    fill: (_ samples: UnsafeMutablePointer<Float>, _ frame: Int64, _ frames: Int) -> Void
  ) throws(PulseError) -> Bool {
    let isAsked = try put(at: frame, frames: frames, asking: token, fill: fill)
    let end = frame + Int64(frames)
    guard end < cursor.end else { return isAsked }
    try truncate(at: end)
    // The server counts what it holds up to where the last write ended, and asks for nothing while
    // it believes itself full: the last frames once more lead it back to there.
    let last = min(frames, 64)
    if last > 0 { try put(at: end - Int64(last), frames: last, fill: fill) }
    cursor.ended(at: end)
    return isAsked
  }

  /// Replaces all that was written from `frame` on by silence; lock held.
  ///
  /// PulseAudio plays what lies behind a write, and plays it wrong: where a write falls within one
  /// block of an earlier one, the rest of that block goes on with the block's first frames, because
  /// `pa_memblockq_push` moves the index of the rest and not its place in memory (16.1; frame
  /// 43,000 came out as 40,920). PipeWire cuts it off. So a write here always covers all that was
  /// there.
  ///
  /// - Parameter frame: `firstFrame` or more. At or above the end of what was written, nothing is done.
  /// - Throws: Where the stream has failed or is closed.
  public func truncate(at frame: Int64) throws(PulseError) {
    guard frame < cursor.end else { return }
    let channels = format.channelCount
    try put(at: frame, frames: Int(cursor.end - frame)) { samples, _, frames in
      samples.initialize(repeating: 0, count: frames * channels)
    }
    cursor.truncated(at: frame)
  }

  @discardableResult
  private func put(
    at frame: Int64, frames: Int, asking token: Int? = nil,
    fill: (UnsafeMutablePointer<Float>, Int64, Int) -> Void
  ) throws(PulseError) -> Bool {
    assertLocked()
    require(
      frame >= firstFrame && frames >= 0,
      "a write of \(frames) frames at \(frame); 0 and more at \(firstFrame) and later are permitted"
    )
    guard let stream else { throw closedError("pa_stream_write") }
    let stride = format.bytesPerFrame
    var (next, left, isAsked) = (frame, frames, false)
    while left > 0 {
      var block: UnsafeMutableRawPointer?
      var bytes = left * stride
      guard pa_stream_begin_write(stream, &block, &bytes) >= 0, let block, bytes >= stride else {
        throw failure("pa_stream_begin_write")
      }
      let count = min(bytes / stride, left)
      fill(block.assumingMemoryBound(to: Float.self), next, count)
      let follows = cursor.index == next
      cursor.forgetIndex()
      let code = pa_stream_write(
        stream, block, count * stride, nil, follows ? 0 : (next - firstFrame) * Int64(stride),
        follows ? PA_SEEK_RELATIVE : PA_SEEK_ABSOLUTE)
      guard code >= 0 else { throw failure("pa_stream_write") }
      let isFirst = next == frame
      next += Int64(count)
      left -= count
      cursor.wrote(upTo: next)
      if let token, isFirst { isAsked = requestTiming(token) }
    }
    return isAsked
  }

  /// Frames written so far end here: where the last write stopped.
  ///
  /// Lock held.
  public var nextWriteFrame: Int64 {
    assertLocked()
    return cursor.next
  }

  func failure(_ call: String) -> PulseError {
    PulseError(of: connection.context, call: call, subject: "the playback stream")
  }

  /// The reason for which the stream is gone, where it is.
  public var goneError: PulseError {
    connection.withLock { end ?? failure("pa_stream_get_state") }
  }

  func closedError(_ call: String) -> PulseError {
    PulseError(
      code: Int32(PA_ERR_BADSTATE.rawValue), call: call, subject: "a closed playback stream")
  }
}
