// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import Glibc
internal import MediaTime
internal import SampleBuffers

extension PlaybackStream {
  /// Asks the server where the stream is; `timingArrived` brings the answer, with `token`.
  ///
  /// Lock held; does not wait. Answers come in the order of the questions, and none after a
  /// failure. Nothing is allocated here (libpulse allocates its message). The corresponding
  /// PulseAudio call is `pa_stream_update_timing_info`.
  ///
  /// - Returns: Whether the question was sent: not where the stream has failed or is closed, nor
  ///   while 16 questions are unanswered.
  @discardableResult
  public func requestTiming(_ token: Int = 0) -> Bool {
    assertLocked()
    guard let stream, !timingRequests.isFull else { return false }
    let sent = HostTime.now()
    let operation = pa_stream_update_timing_info(
      stream,
      { stream, isValid, me in
        Unmanaged<PlaybackStream>.fromOpaque(me!)._withUnsafeGuaranteedRef {
          $0.timingArrived(isValid != 0 ? pa_stream_get_timing_info(stream) : nil)
        }
      }, Unmanaged.passUnretained(self).toOpaque())
    guard let operation else { return false }
    timingRequests.append(
      .init(operation: operation, token: token, written: cursor.next - cursor.first, sent: sent))
    if timingRequests.count == 1 { tellTimingRequested() }
    return true
  }

  /// Questions that are unanswered; lock held.
  public var unansweredTimingRequests: Int {
    assertLocked()
    return timingRequests.count
  }

  /// Host time of the oldest question that is unanswered, in nanoseconds, nil where there is none; lock held.
  public var oldestTimingRequest: UInt64? {
    assertLocked()
    return timingRequests.oldestSent
  }

  private func timingArrived(_ info: UnsafePointer<pa_timing_info>?) {
    let now = HostTime.now()
    // An answer without a question is no one's.
    guard let request = timingRequests.popFirst() else { return }
    pa_operation_unref(request.operation)
    let report = info.map { info in
      TimingReport(
        readFrame: firstFrame + info.pointee.read_index / Int64(format.bytesPerFrame),
        writeFrame: firstFrame + request.written,
        sinkLatency: Self.nanoseconds(Int64(clamping: info.pointee.sink_usec)),
        hostTime: Self.hostTime(of: info.pointee, sent: request.sent, arrived: now),
        roundTrip: now - request.sent, isPlaying: info.pointee.playing != 0,
        isReadIndexCorrupt: info.pointee.read_index_corrupt != 0)
    }
    tellTiming(report, token: request.token)
  }

  /// Microseconds that a server tells, an hour at most: it may say what no sink can mean, as 2^64
  /// less a few where it has subtracted too much.
  private static func nanoseconds(_ microseconds: Int64) -> Int64 {
    min(max(microseconds, 0), 3_600_000_000) * 1_000
  }

  /// The server stamps its answer with the wall clock right after it has looked at the sink.
  ///
  /// On one machine that stamp is better than the middle of the round trip, which may be
  /// milliseconds long.
  private static func hostTime(
    of info: pa_timing_info, sent: UInt64, arrived: UInt64
  ) -> UInt64 {
    let wall = WallClock.now()
    let stamp =
      Int128(info.timestamp.tv_sec) * 1_000_000_000 + Int128(info.timestamp.tv_usec) * 1000
    guard info.synchronized_clocks != 0, let age = UInt64(exactly: Int128(wall) - stamp),
      age <= arrived - sent
    else { return sent + (arrived - sent) / 2 }
    return arrived - age
  }
}
