// SPDX-License-Identifier: Apache-2.0

public import PulseAudio
public import Rendering
public import SampleBuffers

/// A bus whose sum goes to a sink of a PulseAudio server, or of PipeWire's, in one stream.
///
/// What becomes of the server and its sinks is each voice's as it is a `PulseAudioRenderer`'s: media time
/// holds without one, and goes on from the frame heard last.
public final class PulseAudioBus: AudioBus, @unchecked Sendable {
  // @unchecked: adds no state to its superclass but a constant.
  private let pulse: PulseAudioOutput

  /// Opens a stream; blocks until the server has made it.
  ///
  /// - Parameters:
  ///   - device: a sink's name; nil for the user's default.
  ///   - server: a server's address; nil for the user's own.
  ///   - latency: how much the server holds.
  ///   - applicationName: what a mixer calls the application.
  ///   - mediaName: what a mixer calls the stream.
  /// - Throws: where there is no server or no such sink.
  public init(
    device: String? = nil, server: String? = nil, latency: Latency = .responsive,
    applicationName: String = "Attacca", mediaName: String = "Audio"
  ) throws(PulseError) {
    pulse = try PulseAudioOutput(
      server: server, device: device, latency: latency, applicationName: applicationName,
      mediaName: mediaName)
    super.init(device: pulse)
  }

  /// The sink that is played on; nil while there is none.
  public var deviceName: String? { pulse.sinkName }

  /// The sink to play on; nil for the user's default.
  ///
  /// Setting it while playing moves all voices there, as `PulseAudioRenderer.outputDevice` does.
  public var outputDevice: String? {
    get { pulse.withLock { pulse.request.device } }
    set { pulse.switchDevice(to: newValue) }
  }

  /// The server's volume of this stream, 1 for unchanged: mirrored, never set.
  public var outputVolume: Float { pulse.outputVolume }

  /// True where the server mutes this stream: mirrored, never set.
  public var isOutputMuted: Bool { pulse.isOutputMuted }

  /// Tells the server what is playing, for mixers to show.
  public func setMediaName(_ name: String) { pulse.setName(name) }
}
