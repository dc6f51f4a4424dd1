// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import SampleBuffers

// A null sink takes blocks of 2 s while no stream asks for shorter ones, and goes back by one of its
// present blocks at most. A stream that asks for blocks of 5 ms from its beginning is therefore heard
// when the sink has played what it had taken before: 342 to 1,780 ms late (PulseAudio 16.1). A stream
// that asks for the longest ones is heard 0.2 to 0.4 ms after it runs, and the sink takes 2 s of it at
// once. So the stream begins like that, and right behind the uncorking has the sink give back all but
// the first 5 ms, and asks for its own blocks: both lie in one batch of messages, which the sink has
// carried out before those 5 ms are over.
extension PlaybackStream {
  /// True where the sink takes blocks as long as it can, so that `settle` has to follow a start; lock held.
  public var isDeep: Bool {
    assertLocked()
    return blocks.depth == .deep
  }

  /// True where the sink has not answered `settle` yet: what it says of missing frames until then is of
  /// blocks that it has given back; lock held.
  public var isSettling: Bool {
    assertLocked()
    return blocks.isSettling
  }

  /// True where the stream plays on a null sink that rewinds; lock held.
  public var isOnRewindingNullSink: Bool { blocks.sinkRewinds }

  /// Frames of the longest block that the sink takes of a settled stream.
  public var blockLength: Int {
    let latency = blocks.latency
    return frames(inMilliseconds: latency.targetMilliseconds - 2 * latency.requestMilliseconds) / 2
  }

  /// Frames that the server asks for of a deep stream before it is settled.
  public var deepLength: Int { frames(inMilliseconds: Latency.deep.targetMilliseconds) }

  /// Frames that a deep stream is given at most before it is let run; `settle` writes the rest.
  ///
  /// The server keeps what its sink has given back, and plays it where the stream is corked before it has gone past
  /// that (`pa_sink_input_peek`, 16.1): 51,800 frames were heard behind a pause. Silence is kept behind the last frame
  /// that it was given. With less a server that is held up between the start and `settle` for longer would play a hole.
  public var startLength: Int { frames(inMilliseconds: 250) }

  /// The frame from which on a cork is silent, as the stream has gone past what the sink has given back at the start;
  /// nil where it has given back nothing; lock held.
  public var silentCorkFrame: Int64? {
    assertLocked()
    return blocks.givenBackEnd
  }

  /// Has the sink give back what it has taken of frames from `frame` on, and take blocks of the stream's
  /// latency from now on; lock held.
  ///
  /// Right after the `cork(false)` that starts a deep stream. Of the frames written the first are those that are there
  /// already: nobody hears that they are taken twice. Does not wait.
  ///
  /// The corresponding PulseAudio calls are `pa_stream_write` and `pa_stream_set_buffer_attr`.
  ///
  /// - Parameters: as for `write(at:frames:asking:fill:)`.
  /// - Throws: Where the stream has failed or is closed.
  public func settle(
    at frame: Int64, frames: Int, asking token: Int,
    fill: (_ samples: UnsafeMutablePointer<Float>, _ frame: Int64, _ frames: Int) -> Void
  ) throws(PulseError) {
    assertLocked()
    guard blocks.depth == .deep else { return }
    blocks.settles(startedUpTo: cursor.end)
    try write(at: frame, frames: frames, fill: fill)
    ask(for: blocks.latency)
    requestTiming(token)
  }

  /// The stream plays on `sink` now, which it was moved to; lock held.
  public func isNow(on sink: PulseSink) {
    assertLocked()
    blocks.sinkRewinds = sink.isRewindingNullSink
  }

  /// The server has answered what was asked behind `settle`, with `token`; lock held.
  public func settlingAnswered(_ token: Int) {
    assertLocked()
    if blocks.answered(), !requestTiming(token) { blocks.settled() }
  }

  /// Has the sink take blocks as long as it can, so that the next start is heard at once; lock held.
  ///
  /// For a corked stream; nothing is done where the sink is no null sink that rewinds. The corresponding PulseAudio call is `pa_stream_set_buffer_attr`.
  public func deepen() {
    assertLocked()
    guard blocks.deepens() else { return }
    ask(for: .deep)
    readBufferAttributes()
  }

  private func ask(for latency: Latency) {
    guard let stream else { return }
    cancelSettling()
    var attributes = latency.bufferAttributes(format.sampleSpec)
    settleOperation = pa_stream_set_buffer_attr(
      stream, &attributes,
      { _, _, me in
        Unmanaged<PlaybackStream>.fromOpaque(me!)._withUnsafeGuaranteedRef { $0.wasGranted() }
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func wasGranted() {
    if let settleOperation { pa_operation_unref(settleOperation) }
    settleOperation = nil
    readBufferAttributes()
  }

  func cancelSettling() {
    guard let operation = settleOperation else { return }
    pa_operation_cancel(operation)
    pa_operation_unref(operation)
    settleOperation = nil
  }
}
