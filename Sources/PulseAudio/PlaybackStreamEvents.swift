// SPDX-License-Identifier: Apache-2.0

/// The owner of a `PlaybackStream`, which is told what happens to it.
///
/// Everything is called on the mainloop thread with the connection's lock held. It may call the
/// stream, and copy into it. In `framesRequested` and `timingArrived` it must not allocate, wait,
/// log, or decode, for the server's next request waits behind it; nor close the stream or let it
/// go, which is not retained for them.
///
/// What an owner does not care for it leaves out, but for the failure.
public protocol PlaybackStreamEvents: AnyObject, Sendable {
  /// The server asks for more; `frames` is a hint at best (120,008 bytes were asked for where
  /// 79,200 were missing, after a seek). A fill that leaves room is not asked for again.
  func framesRequested(_ frames: Int, by stream: PlaybackStream)
  /// The answer to `requestTiming(_:)`, with its token; `nil` where the server refused.
  func timingArrived(_ report: TimingReport?, token: Int, on stream: PlaybackStream)
  /// The server has been asked where the stream is while no other question was unanswered.
  func timingRequested(of stream: PlaybackStream)
  /// The server ran out of frames at `frame`, the first that was missing.
  func underflowed(at frame: Int64, on stream: PlaybackStream)
  /// The stream plays on another sink. Its format stays; `sinkName`, `deviceIndex`, and what the
  /// server asks for may have changed.
  func moved(_ stream: PlaybackStream)
  /// The sink stopped taking frames (`true`), or takes them again.
  func suspended(_ isSuspended: Bool, on stream: PlaybackStream)
  /// `targetLength` or `minimumRequest` have changed.
  func bufferAttributesChanged(on stream: PlaybackStream)
  /// `outputVolume` or `isOutputMuted` have changed.
  func outputVolumeChanged(on stream: PlaybackStream)
  /// Someone wants this stream to pause (`true`) or to go on, as for a phone call. A wish only.
  func corkRequested(_ cork: Bool, on stream: PlaybackStream)
  /// The stream is gone, because its sink or the server is; said once, nothing follows.
  func failed(_ error: PulseError, on stream: PlaybackStream)
}

extension PlaybackStreamEvents {
  /// Nothing: what was written is all there is.
  public func framesRequested(_ frames: Int, by stream: PlaybackStream) {}
  /// Nothing: no question was asked.
  public func timingArrived(_ report: TimingReport?, token: Int, on stream: PlaybackStream) {}
  /// Nothing: its answer is told.
  public func timingRequested(of stream: PlaybackStream) {}
  /// Nothing: silence follows.
  public func underflowed(at frame: Int64, on stream: PlaybackStream) {}
  /// Nothing: it plays on there.
  public func moved(_ stream: PlaybackStream) {}
  /// Nothing: it goes on when the sink does.
  public func suspended(_ isSuspended: Bool, on stream: PlaybackStream) {}
  /// Nothing: each request tells what is missing.
  public func bufferAttributesChanged(on stream: PlaybackStream) {}
  /// Nothing: the server has changed it already.
  public func outputVolumeChanged(on stream: PlaybackStream) {}
  /// Nothing: it plays on.
  public func corkRequested(_ cork: Bool, on stream: PlaybackStream) {}
}
