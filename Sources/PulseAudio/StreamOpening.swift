// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import Glibc
internal import SampleBuffers

/// The steps from a wish to a playback stream that the server has made.
struct StreamOpening {
  let connection: PulseConnection
  let sink: String?
  let latency: Latency
  /// `ADJUST_LATENCY`: the sink's part is counted within the target length, and a sink that cannot
  /// rewind holds less.
  let sharesLatency: Bool
  /// True where a null sink that rewinds is to take blocks as long as it can, until `settle`.
  let startsDeep: Bool
  let volume: Float
  let isMuted: Bool

  /// The sink's name or the default sink, for messages.
  var subject: String { sink.map { "sink ‘\($0)’" } ?? "the default sink" }

  /// Neither `INTERPOLATE_TIMING`, which is wrong after a corked start up to libpulse 17, nor
  /// `AUTO_TIMING_UPDATE`, which is up to 1.5 s late.
  private static let flags: [pa_stream_flags_t] = [
    PA_STREAM_START_CORKED, PA_STREAM_NOT_MONOTONIC,
  ]

  /// A stream that is ready, without callbacks.
  struct Opened {
    let stream: OpaquePointer
    let format: AudioFormat
    /// The index of the sink whose format the stream has.
    let deviceIndex: UInt32
    let isOnRewindingNullSink: Bool
    let isOfPipeWire: Bool
  }

  /// Opens a stream; lock not held.
  func open(mediaName: String, properties: [String: String]) throws(PulseError) -> Opened {
    let list = PropertyList(properties)
    return try connection.withLock { () throws(PulseError) -> Opened in
      var asked = try connection.querySink(sink ?? Self.wishOfTheEnvironment)
      try connection.queryRewinding(&asked.sink)
      let opened = try open(in: asked, mediaName, list)
      guard let other = placeOfPipeWire(opened, asked.sink) else { return opened }
      close(opened.stream)
      return try open(in: other, mediaName, list)
    }
  }

  private typealias Found = (
    sink: PulseSink, specification: pa_sample_spec, map: pa_channel_map
  )

  /// The sink that PipeWire put the stream on, where that is another one of another format.
  ///
  /// Its session manager puts a stream without a wish where the user moved this application to.
  private func placeOfPipeWire(_ opened: Opened, _ asked: PulseSink) -> Found? {
    guard asked.isOfPipeWire, opened.deviceIndex != asked.index,
      let name = pa_stream_get_device_name(opened.stream).map({ String(cString: $0) }),
      let other = try? connection.querySink(name), other.sink.format != opened.format
    else { return nil }
    return other
  }

  /// Opens a stream in the format of `found`, which need not be the sink that it comes to.
  private func open(
    in found: Found, _ mediaName: String, _ list: borrowing PropertyList
  ) throws(PulseError) -> Opened {
    let isDeep = startsDeep && found.sink.isRewindingNullSink
    let takesOwnChannels = AudioFormat(found.specification, found.map) != nil
    // PipeWire agrees anew with each sink that it links such a stream to, and tells nobody: moved from 2 channels to 6,
    // it read three times as fast as time, and 1.8 s were lost. Without the flags it converts.
    var fixing: [pa_stream_flags_t] = []
    if !found.sink.isOfPipeWire {
      fixing.append(PA_STREAM_FIX_RATE)
      if takesOwnChannels { fixing.append(PA_STREAM_FIX_CHANNELS) }
    }
    var specification = found.sink.format.sampleSpec
    var map = takesOwnChannels ? found.map : found.sink.format.layout.channelMap
    let stream = pa_stream_new_with_proplist(
      connection.context, mediaName, &specification, &map, list.raw)
    guard let stream else {
      throw PulseError(of: connection.context, call: "pa_stream_new", subject: subject)
    }
    do throws(PulseError) {
      let latency = isDeep ? .deep : latency
      let deviceIndex = try connect(stream, specification, latency, fixing)
      let format = try grantedFormat(stream, asked: specification, latency)
      return Opened(
        stream: stream, format: format, deviceIndex: deviceIndex,
        isOnRewindingNullSink: found.sink.isRewindingNullSink,
        isOfPipeWire: found.sink.isOfPipeWire)
    } catch {
      close(stream)
      throw error
    }
  }

  private func close(_ stream: OpaquePointer) {
    pa_stream_disconnect(stream)
    pa_stream_unref(stream)
  }

  /// Name of the sink that libpulse takes for a stream without a wish, needed here to ask that sink for its format.
  private static var wishOfTheEnvironment: String? {
    guard let name = getenv("PULSE_SINK").map({ String(cString: $0) }), !name.isEmpty else {
      return nil
    }
    return name
  }

  /// The sink that a stream is made on, by the server's answer.
  ///
  /// A thread that waits for that may have its turn only once the server has told of moves, too: from a sink of 44,100 Hz
  /// that went to one of 48,000 with its name, and a stream of the first one's format stayed there for good.
  private final class FirstSink {
    private let mainloop: Mainloop
    private(set) var index: UInt32?

    init(_ mainloop: Mainloop) { self.mainloop = mainloop }

    /// On the mainloop's thread, with its lock held.
    func stateChanged(_ stream: OpaquePointer) {
      if index == nil, pa_stream_get_state(stream) == PA_STREAM_READY {
        index = pa_stream_get_device_index(stream)
      }
      mainloop.signal()
    }
  }

  /// Returns the index of the sink that the server makes the stream on.
  private func connect(
    _ stream: OpaquePointer, _ specification: pa_sample_spec, _ latency: Latency,
    _ fixing: [pa_stream_flags_t]
  ) throws(PulseError) -> UInt32 {
    let first = FirstSink(connection.mainloop.loop)
    pa_stream_set_state_callback(
      stream,
      { stream, first in
        Unmanaged<FirstSink>.fromOpaque(first!)._withUnsafeGuaranteedRef {
          $0.stateChanged(stream!)
        }
      }, Unmanaged.passUnretained(first).toOpaque())
    defer { withExtendedLifetime(first) { pa_stream_set_state_callback(stream, nil, nil) } }
    var flags = (Self.flags + fixing).reduce(0) { $0 | $1.rawValue }
    if sharesLatency { flags |= PA_STREAM_ADJUST_LATENCY.rawValue }
    if isMuted { flags |= PA_STREAM_START_MUTED.rawValue }
    var attributes = latency.bufferAttributes(specification)
    var volumes = pa_cvolume()
    pa_cvolume_set(
      &volumes, UInt32(specification.channels), pa_sw_volume_from_linear(Double(volume)))
    let call = "pa_stream_connect_playback"
    let code = withUnsafePointer(to: &volumes) { volumes in
      // Without a volume it gets what the server keeps for this application.
      pa_stream_connect_playback(
        stream, sink, &attributes, pa_stream_flags_t(rawValue: flags),
        volume == 1 ? nil : volumes, nil)
    }
    guard code >= 0 else {
      throw PulseError(of: connection.context, call: call, subject: subject)
    }
    while true {
      let state = pa_stream_get_state(stream)
      if state == PA_STREAM_READY { return first.index ?? pa_stream_get_device_index(stream) }
      guard state == PA_STREAM_CREATING else {
        throw PulseError(of: connection.context, call: call, subject: subject)
      }
      connection.mainloop.wait()
    }
  }

  /// The server may have put the stream on another sink than the one that was asked for its format;
  /// the lengths, which are in bytes, are then asked for again.
  private func grantedFormat(
    _ stream: OpaquePointer, asked: pa_sample_spec, _ latency: Latency
  ) throws(PulseError) -> AudioFormat {
    guard let granted = pa_stream_get_sample_spec(stream)?.pointee,
      let map = pa_stream_get_channel_map(stream)?.pointee, let format = AudioFormat(granted, map),
      format.sampleRate >= AudioFormat.lowestOutputRate
    else {
      throw PulseError(
        code: Int32(PA_ERR_NOTSUPPORTED.rawValue), call: "pa_stream_get_sample_spec",
        subject: subject)
    }
    if granted.rate != asked.rate || granted.channels != asked.channels {
      var attributes = latency.bufferAttributes(granted)
      try connection.wait(
        for: pa_stream_set_buffer_attr(stream, &attributes, nil, nil),
        call: "pa_stream_set_buffer_attr", subject: subject)
    }
    return format
  }
}
