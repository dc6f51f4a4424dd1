// SPDX-License-Identifier: Apache-2.0
internal import CPulse
public import SampleBuffers

/// A device that plays, as the server describes it at one moment.
public struct PulseSink: Hashable, Sendable {
  /// The states of a sink: at work, at rest, or out of use.
  public enum State: Hashable, Sendable {
    /// Something plays.
    case running
    /// Nothing plays; the device is open.
    case idle
    /// The device is closed.
    case suspended
  }

  /// The server's number for it, as in `PlaybackStream.deviceIndex`.
  public let index: UInt32
  /// The name to open it by.
  public let name: String
  /// The name to show.
  public let summary: String
  /// The format that a `PlaybackStream` on it has: its own rate and channels.
  ///
  /// Of more than 8 channels the server is left to make what it can of stereo.
  public let format: AudioFormat
  /// The source that hears what it plays.
  public let monitorName: String?
  /// The server's module behind it, as in "module-alsa-card.c"; "PipeWire" there.
  public let driver: String
  /// True where streams without a wish go there.
  public let isDefault: Bool
  /// The sink's state.
  public let state: State
  /// Time of the sound that it holds rendered now, its hardware included.
  public let latency: Duration
  /// Time of the sound that it was asked to hold at most.
  ///
  /// It may run far below: 50 ms were configured at 2 ms blocks.
  public let configuredLatency: Duration

  /// The name of the connector that it plays on, as "analog-output-headphones"; nil for a sink without any.
  public let port: String?
  /// The names of its connectors that have nothing plugged in, as far as the hardware tells.
  public let unpluggedPorts: Set<String>

  /// True where this is a null sink that rewinds: it goes back by one of its blocks at most, which are 2 s
  /// long while nobody asks for shorter ones, and its monitor hears the first 170 ms of a block when the
  /// block is taken, not when it is played.
  public var isRewindingNullSink: Bool { isKnownToRewind && driver == Self.nullSinkDriver }

  /// True where PipeWire plays, not PulseAudio.
  var isOfPipeWire: Bool { driver == "PipeWire" }

  static let nullSinkDriver = "module-null-sink.c"

  let ownerModule: UInt32?

  /// True where the sink takes back what it has rendered and not yet played.
  ///
  /// True for ALSA on PulseAudio. False where nothing is known: PipeWire, Bluetooth, tunnels,
  /// pipes, and null sinks loaded with `norewinds=1`.
  public internal(set) var isKnownToRewind: Bool

  init(_ info: pa_sink_info, defaultName: String?) {
    index = info.index
    name = String(cString: info.name)
    summary = info.description.map { String(cString: $0) } ?? name
    format =
      AudioFormat(info.sample_spec, info.channel_map)
      ?? AudioFormat(sampleRate: Int(info.sample_spec.rate), layout: .stereo)
    monitorName = info.monitor_source_name.map { String(cString: $0) }
    driver = info.driver.map { String(cString: $0) } ?? ""
    isDefault = name == defaultName
    state =
      switch info.state {
      case PA_SINK_RUNNING: .running
      case PA_SINK_SUSPENDED: .suspended
      default: .idle
      }
    port = info.active_port.map { String(cString: $0.pointee.name) }
    let ports = UnsafeBufferPointer(
      start: info.ports, count: info.ports == nil ? 0 : Int(info.n_ports))
    unpluggedPorts = Set(
      ports.compactMap { $0?.pointee }
        .filter { $0.available == Int32(PA_PORT_AVAILABLE_NO.rawValue) }
        .map { String(cString: $0.name) })
    latency = .microseconds(info.latency)
    configuredLatency = .microseconds(info.configured_latency)
    ownerModule = info.owner_module == UInt32.max ? nil : info.owner_module
    isKnownToRewind = driver.hasPrefix("module-alsa-")
  }
}
