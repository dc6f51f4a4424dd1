// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import MediaTime
public import SampleBuffers

/// A stream from a source, as from a sink's monitor, in Float32.
///
/// It starts when it is opened. The fragment that it asks for also sets the block that a monitored
/// sink renders in, so it has to be stated with every latency that is measured through it.
///
/// `@unchecked Sendable`: `stream` is touched with the connection's lock held only.
public final class RecordingStream: @unchecked Sendable {
  /// Takes what arrived: interleaved samples, or `nil` for a hole of as many frames; the frames;
  /// and the host time at which they arrived here.
  ///
  /// Runs on the mainloop thread with the lock held.
  public typealias Receiver =
    @Sendable (_ samples: UnsafePointer<Float>?, _ frames: Int, _ hostTime: UInt64) -> Void

  /// The connection that it lives on.
  public let connection: PulseConnection
  /// The format of its frames.
  public let format: AudioFormat
  /// Frames that the server sends at a time, as granted.
  public let fragmentLength: Int

  private var stream: OpaquePointer?
  private let receiver: Receiver
  private let onFailure: (@Sendable (PulseError) -> Void)?

  /// Opens a stream and starts it; blocks until the server has made it.
  ///
  /// Not on the mainloop thread, nor with the lock held.
  /// The corresponding PulseAudio call is `pa_stream_connect_record`.
  ///
  /// - Parameters:
  ///   - connection: The server.
  ///   - source: A source's name, as `PulseSink.monitorName`; `nil` is the default source.
  ///   - format: What frames are wanted in; other than the source's own, the server converts.
  ///   - fragment: How much the server should collect before it sends.
  ///   - mediaName: What a mixer shows for the stream.
  ///   - properties: More `media.*` keys.
  ///   - keepsAwake: Whether the source may not be suspended for idleness while this listens.
  ///   - onFailure: Called once, on the mainloop thread, when the source or the server is gone.
  ///   - receiver: Called for each fragment until `close()`.
  /// - Throws: Where the source is not there.
  public init(
    connection: PulseConnection, source: String?, format: AudioFormat, fragment: Duration,
    mediaName: String, properties: [String: String] = [:], keepsAwake: Bool = true,
    onFailure: (@Sendable (PulseError) -> Void)? = nil, receiver: @escaping Receiver
  ) throws(PulseError) {
    connection.preconditionMayBlock()
    let subject = source.map { "source ‘\($0)’" } ?? "the default source"
    (self.connection, self.format, self.receiver) = (connection, format, receiver)
    self.onFailure = onFailure
    let (opened, granted) = try connection.withLock {
      () throws(PulseError) -> (OpaquePointer, pa_buffer_attr) in
      var specification = format.sampleSpec
      var map = format.layout.channelMap
      let list = PropertyList(properties)
      let stream = pa_stream_new_with_proplist(
        connection.context, mediaName, &specification, &map, list.raw)
      guard let stream else {
        throw PulseError(of: connection.context, call: "pa_stream_new", subject: subject)
      }
      let bytes = UInt32(clamping: pa_usec_to_bytes(fragment.microseconds, &specification))
      do throws(PulseError) {
        try Self.connect(
          stream, connection, source, fragmentBytes: bytes, keepsAwake: keepsAwake, subject)
        guard let attributes = pa_stream_get_buffer_attr(stream) else {
          throw PulseError(
            of: connection.context, call: "pa_stream_get_buffer_attr", subject: subject)
        }
        return (stream, attributes.pointee)
      } catch {
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        throw error
      }
    }
    stream = opened
    fragmentLength = Int(granted.fragsize) / format.bytesPerFrame
    try connection.withLock { () throws(PulseError) in
      installCallbacks()
      guard pa_stream_get_state(opened) == PA_STREAM_READY else {
        let error = PulseError(
          of: connection.context, call: "pa_stream_connect_record", subject: subject)
        close()
        throw error
      }
      // What came before the callback was there would not be announced again.
      read()
    }
  }

  deinit { close() }

  /// Ends the stream.
  ///
  /// Any thread; the receiver is called no more once it has returned.
  public func close() {
    connection.withLock {
      guard let stream else { return }
      pa_stream_set_read_callback(stream, nil, nil)
      pa_stream_set_state_callback(stream, nil, nil)
      self.stream = nil
      connection.mainloop.loop.afterCallbacks {
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
      }
    }
  }

  private static func connect(
    _ stream: OpaquePointer, _ connection: PulseConnection, _ source: String?,
    fragmentBytes: UInt32, keepsAwake: Bool, _ subject: String
  ) throws(PulseError) {
    pa_stream_set_state_callback(
      stream, { _, mainloop in Mainloop.signal(mainloop) }, connection.mainloop.loop.opaque)
    defer { pa_stream_set_state_callback(stream, nil, nil) }
    var attributes = pa_buffer_attr(
      maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: fragmentBytes)
    let call = "pa_stream_connect_record"
    var flags = PA_STREAM_ADJUST_LATENCY.rawValue
    if !keepsAwake { flags |= PA_STREAM_DONT_INHIBIT_AUTO_SUSPEND.rawValue }
    // A source that was named is meant: its recorder ends with it.
    if source != nil { flags |= PA_STREAM_DONT_MOVE.rawValue }
    guard
      pa_stream_connect_record(stream, source, &attributes, pa_stream_flags_t(rawValue: flags)) >= 0
    else { throw PulseError(of: connection.context, call: call, subject: subject) }
    while true {
      let state = pa_stream_get_state(stream)
      if state == PA_STREAM_READY { return }
      guard state == PA_STREAM_CREATING else {
        throw PulseError(of: connection.context, call: call, subject: subject)
      }
      connection.mainloop.wait()
    }
  }

  private func installCallbacks() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    pa_stream_set_read_callback(
      stream,
      { _, _, me in
        Unmanaged<RecordingStream>.fromOpaque(me!).takeUnretainedValue().read()
      }, me)
    pa_stream_set_state_callback(
      stream,
      { stream, me in
        let state = pa_stream_get_state(stream)
        guard state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED else { return }
        let recorder = Unmanaged<RecordingStream>.fromOpaque(me!).takeUnretainedValue()
        recorder.onFailure?(
          PulseError(
            of: recorder.connection.context, call: "pa_stream_get_state",
            subject: "the recording stream"))
      }, me)
  }

  private func read() {
    let now = HostTime.now()
    while let stream {
      var data: UnsafeRawPointer?
      var bytes = 0
      guard pa_stream_peek(stream, &data, &bytes) >= 0, bytes > 0 else { return }
      receiver(data?.assumingMemoryBound(to: Float.self), bytes / format.bytesPerFrame, now)
      // The receiver may have closed the stream.
      if self.stream != nil { pa_stream_drop(stream) }
    }
  }
}
