// SPDX-License-Identifier: Apache-2.0
internal import CPulse

/// A sound server's description of itself.
public struct PulseServer: Hashable, Sendable {
  /// The server's name, as in "pulseaudio" or "PulseAudio (on PipeWire 0.3.65)".
  public let name: String
  /// The version of PulseAudio, as in "16.1".
  ///
  /// PipeWire gives the PulseAudio version that it stands in for.
  public let version: String
  /// The sink that streams without a wish go to; `nil` where there is none.
  public let defaultSinkName: String?
  /// The source that recorders without a wish listen to; `nil` where there is none.
  public let defaultSourceName: String?

  /// True where PipeWire is behind it: audio handed to its graph cannot be taken back.
  public var isPipeWire: Bool { name.contains("PipeWire") }

  init(_ info: pa_server_info) {
    name = String(cString: info.server_name)
    version = String(cString: info.server_version)
    defaultSinkName = info.default_sink_name.map { String(cString: $0) }
    defaultSourceName = info.default_source_name.map { String(cString: $0) }
  }
}
