// SPDX-License-Identifier: Apache-2.0
import Preconditions
internal import CPulse
internal import MediaTime
public import SampleBuffers

/// A stream to a sink, addressed by frames counted since it was opened; the first one is 0, or what
/// `begin(at:)` says.
///
/// Frames are Float32 at the sink's own rate and channels. What the server has not played can be
/// written again, in place, at an exact frame. It opens corked and starts with `cork(false)`.
///
/// The first fill is the owner's: after opening, write `targetLength` frames from 0 on.
///
/// `@unchecked Sendable`: the stored variables are touched with the connection's lock held only,
/// except the atomics.
public final class PlaybackStream: @unchecked Sendable {
  /// The connection that it lives on.
  public let connection: PulseConnection
  /// The format of its frames: the rate and speakers of the sink that it was opened on.
  public let format: AudioFormat
  /// The index of the sink that it was opened on; the server may have moved it since.
  public let firstDeviceIndex: UInt32

  /// `nil` once closed.
  private(set) var stream: OpaquePointer?
  /// Link through which the owner is reached, without retaining it.
  ///
  /// A stored existential is retained for each call, `unowned(unsafe)` or not; a constant of an
  /// object that is guaranteed to live is not. `ownerLink` keeps it until `close()`, which first
  /// ends all callbacks.
  private let unretainedLink: Unmanaged<OwnerLink>
  /// `nil` once closed.
  private var ownerLink: OwnerLink?

  private final class OwnerLink {
    let events: any PlaybackStreamEvents
    init(_ events: any PlaybackStreamEvents) { self.events = events }
  }

  var cursor = WriteCursor()
  var timingRequests = TimingRequests()
  var blocks: SinkBlocks
  /// The question for other blocks that is under way.
  var settleOperation: OpaquePointer?
  var volumeRequest = VolumeRequest.none
  /// Host time up to which the server may tell a volume of 0 that it has not given the stream.
  let volumeIsGivenAt: UInt64
  /// The key of this stream in `connection.streams`; libpulse forgets it when the stream fails.
  var mirroredInput: UInt32?
  /// Reason for which the server ended the stream, once it has.
  var end: PulseError?
  let grants: ServerGrants

  /// The number of the first frame.
  ///
  /// Lock held.
  public var firstFrame: Int64 { cursor.first }

  /// Opens a corked stream; blocks until the server has made it.
  ///
  /// Not on the mainloop thread, nor with the lock held.
  /// The corresponding PulseAudio call is `pa_stream_connect_playback`.
  ///
  /// - Parameters:
  ///   - connection: The server.
  ///   - sink: A sink's name; `nil` is what `PULSE_SINK` says, or the default sink. The server may
  ///     still choose another that the user moved this application to.
  ///   - latency: How much the server should hold.
  ///   - sharesLatency: Whether the sink's part is counted within `latency` (`ADJUST_LATENCY`). If
  ///     not, the sink may hold as much as `latency` says, less two requests.
  ///   - startsDeep: Whether `settle` will follow the first start, where a null sink that rewinds has
  ///     to take long blocks until then.
  ///   - mediaName: What a mixer shows for the stream, `media.name`.
  ///   - properties: More `media.*` keys. `media.role` is better left out: the server keeps one
  ///     volume for all applications of a role.
  ///   - volume: Not 1 where the stream takes the place of one that someone gave another volume.
  ///   - isMuted: The same for its mute.
  ///   - events: The owner, kept until `close()`. Not called before this returns.
  /// - Throws: Where the sink is not there, or takes no Float32 of up to 8 channels.
  public init(
    connection: PulseConnection, sink: String? = nil, latency: Latency = .powerSaving,
    sharesLatency: Bool = true, startsDeep: Bool = false, mediaName: String,
    properties: [String: String] = [:], volume: Float = 1, isMuted: Bool = false,
    events: any PlaybackStreamEvents
  ) throws(PulseError) {
    connection.preconditionMayBlock()
    let opening = StreamOpening(
      connection: connection, sink: sink, latency: latency, sharesLatency: sharesLatency,
      startsDeep: startsDeep, volume: volume, isMuted: isMuted)
    let opened = try opening.open(mediaName: mediaName, properties: properties)
    let stream = opened.stream
    (self.connection, self.stream) = (connection, stream)
    grants = ServerGrants(volume: volume, isMuted: isMuted)
    volumeIsGivenAt = HostTime.now() + (opened.isOfPipeWire ? 20_000_000 : 0)
    (format, firstDeviceIndex) = (opened.format, opened.deviceIndex)
    blocks = SinkBlocks(
      latency: latency, sinkRewinds: opened.isOnRewindingNullSink, startsDeep: startsDeep)
    let link = OwnerLink(events)
    (unretainedLink, ownerLink) = (.passUnretained(link), link)
    try connection.withLock { () throws(PulseError) in
      installCallbacks()
      readBufferAttributes()
      // Callbacks were not in place before: what happened since the stream was made shows here.
      guard pa_stream_get_state(stream) == PA_STREAM_READY else {
        let error = PulseError(
          of: connection.context, call: "pa_stream_connect_playback", subject: opening.subject)
        close()
        throw error
      }
      mirrorVolume()
    }
  }

  deinit { close() }

  /// Ends the stream at once; what has not been heard is dropped.
  ///
  /// Any thread. When it returns, the owner is called no more, unless a callback is what calls it.
  /// Again, and after a failure, it does nothing more.
  public func close() {
    let released = connection.withLock { () -> OwnerLink? in
      guard let stream else { return nil }
      cancelRequests()
      removeCallbacks(stream)
      self.stream = nil
      let link = ownerLink
      ownerLink = nil
      connection.mainloop.loop.afterCallbacks {
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        // A callback that is under way has not retained it.
        withExtendedLifetime(link) {}
      }
      return link
    }
    // The owner's last reference may go here, outside the lock.
    withExtendedLifetime(released) {}
  }

  /// Makes sure that no answer comes any more: each carries this object's address.
  func cancelRequests() {
    timingRequests.cancelAll()
    volumeRequest.cancel()
    cancelSettling()
    if let mirroredInput { connection.streams[mirroredInput] = nil }
    mirroredInput = nil
  }

  /// Counts frames from `frame` on, as those of a stream whose place this one takes.
  ///
  /// Lock held.
  ///
  /// - Precondition: Nothing has been written yet; `frame` is 0 or more.
  public func begin(at frame: Int64) {
    assertLocked()
    require(
      cursor.isUntouched && frame >= 0,
      "begun at frame \(frame), \(cursor.end - firstFrame) frames written; 0 and later are permitted, before a write"
    )
    cursor.begin(at: frame)
  }

  /// Counts frames `distance` lower from now on: what the server has at a place is to be replaced by
  /// what lies so much before it.
  ///
  /// Lock held. Nothing is written by this.
  public func count(back distance: Int64) {
    assertLocked()
    cursor.count(back: distance)
    blocks.count(back: distance)
  }

  // MARK: What the server granted

  /// Frames that the server holds when it is full, `tlength`.
  ///
  /// Any thread; may change at any time.
  ///
  /// 0 for a moment only where the sink is being moved.
  public var targetLength: Int { grants.targetLength }

  /// Frames that must be missing before the server asks, `minreq`.
  ///
  /// Any thread; may change.
  public var minimumRequest: Int { grants.minimumRequest }

  /// The sink that it plays on, or `nil` once it has failed or is closed.
  ///
  /// Any thread; takes the lock. The corresponding PulseAudio call is `pa_stream_get_device_name`.
  public var sinkName: String? {
    connection.withLock {
      guard let stream, pa_stream_get_state(stream) == PA_STREAM_READY else { return nil }
      return pa_stream_get_device_name(stream).map { String(cString: $0) }
    }
  }

  /// The index of the sink that it plays on, or `nil` once it has failed or is closed.
  ///
  /// Any thread; takes the lock. The corresponding PulseAudio call is `pa_stream_get_device_index`.
  public var deviceIndex: UInt32? {
    connection.withLock {
      guard let stream, pa_stream_get_state(stream) == PA_STREAM_READY else { return nil }
      return pa_stream_get_device_index(stream)
    }
  }

  /// The server's number for the stream, as `pactl list sink-inputs` shows it; `nil` once it has
  /// failed or is closed.
  ///
  /// Any thread; takes the lock. The corresponding PulseAudio call is `pa_stream_get_index`.
  public var sinkInputIndex: UInt32? { connection.withLock { mirroredInput } }

  func readBufferAttributes() {
    // What a deep stream is granted lasts until it runs: nobody is to fill 4 s.
    guard blocks.depth != .deep else {
      return grants.grant(
        targetLength: frames(inMilliseconds: blocks.latency.targetMilliseconds),
        minimumRequest: frames(inMilliseconds: blocks.latency.requestMilliseconds))
    }
    guard let stream, let attributes = pa_stream_get_buffer_attr(stream)?.pointee else { return }
    grants.grant(
      targetLength: Int(attributes.tlength) / format.bytesPerFrame,
      minimumRequest: Int(attributes.minreq) / format.bytesPerFrame)
  }

  func frames(inMilliseconds milliseconds: Int) -> Int {
    milliseconds * format.sampleRate / 1_000
  }

  // MARK: Running

  /// Stops the sink from taking frames, or lets it.
  ///
  /// Nothing is lost. Lock held; does not wait.
  ///
  /// On a stream that has failed it does nothing: the owner is told of the failure.
  /// The corresponding PulseAudio call is `pa_stream_cork`.
  public func cork(_ cork: Bool) {
    assertLocked()
    guard let stream else { return }
    // No operation means that the stream has failed, which `failed` tells.
    if let operation = pa_stream_cork(stream, cork ? 1 : 0, nil, nil) {
      pa_operation_unref(operation)
    }
  }

  /// True where `cork(true)` was the last wish, as it is after opening.
  ///
  /// Any thread; takes the lock.
  public var isCorked: Bool {
    connection.withLock { stream.map { pa_stream_is_corked($0) > 0 } ?? true }
  }

  /// True where the server's last wish was that the stream be corked, as for a phone call.
  ///
  /// Any thread. What was wished before this side knew the stream libpulse drops.
  public var isCorkRequested: Bool { grants.isCorkRequested }

  func corkRequested(_ cork: Bool) {
    grants.note(isCorkRequested: cork)
    events.corkRequested(cork, on: self)
  }

  /// Changes `media.name`, which a mixer shows.
  ///
  /// Lock held; does not wait.
  ///
  /// The corresponding PulseAudio call is `pa_stream_set_name`.
  public func setName(_ name: String) {
    assertLocked()
    guard let stream else { return }
    if let operation = pa_stream_set_name(stream, name, nil, nil) { pa_operation_unref(operation) }
  }

  /// The owner, retained by the caller; from callbacks only, which `close()` ends.
  var events: any PlaybackStreamEvents { unretainedLink.takeUnretainedValue().events }

  /// Asks the owner for frames without retaining anything.
  func tellRequested(_ frames: Int) {
    unretainedLink._withUnsafeGuaranteedRef { $0.events.framesRequested(frames, by: self) }
  }

  /// Gives the owner a timing report without retaining anything.
  func tellTiming(_ report: TimingReport?, token: Int) {
    unretainedLink._withUnsafeGuaranteedRef {
      $0.events.timingArrived(report, token: token, on: self)
    }
  }

  /// Tells the owner of a question without retaining anything.
  func tellTimingRequested() {
    unretainedLink._withUnsafeGuaranteedRef { $0.events.timingRequested(of: self) }
  }

  /// Debug builds stop where the caller does not hold the connection's lock.
  func assertLocked(_ call: StaticString = #function) {
    assert(connection.isLockHeld, "\(call) needs the connection's lock: use `withLock`")
  }
}
