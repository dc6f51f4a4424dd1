// SPDX-License-Identifier: Apache-2.0

public import PulseAudio
public import Rendering
public import SampleBuffers

/// Renders to a sink of a PulseAudio server, or of PipeWire's.
///
/// One stream, at the sink's own rate and channels: buffers of other formats are converted, items
/// follow each other without it being touched.
///
/// The server or the sink may go at any time. Media time holds then, `RendererEvent.outputLost` is
/// sent, and as soon as there is a device again it goes on from the frame heard last. On a sink of
/// another format everything is converted anew. A server without any sink is waited for, too; one
/// that denies access or speaks another version of the protocol when it comes back fails the renderer
/// for good (`status`, `error`, `RendererEvent.failed`).
public final class PulseAudioRenderer: AudioRenderer, @unchecked Sendable {
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
  ///   - quality: of rate conversion.
  /// - Throws: where there is no server or no such sink.
  public init(
    device: String? = nil, server: String? = nil, latency: Latency = .responsive,
    applicationName: String = "Attacca", mediaName: String = "Audio",
    quality: RateConverter.Quality = .veryHigh
  ) throws(PulseError) {
    pulse = try PulseAudioOutput(
      server: server, device: device, latency: latency, applicationName: applicationName,
      mediaName: mediaName)
    super.init(output: pulse, quality: quality)
  }

  /// The sink that is played on; nil while there is none.
  public var deviceName: String? { pulse.sinkName }

  /// The sink to play on; nil for the user's default.
  ///
  /// Setting it while playing moves the sound there: nothing is lost, and media time goes on from
  /// the frame where the other sink stopped. `RendererEvent.routeDidChange` tells when that has
  /// happened, `deviceRefused` that it cannot, and that this is what it was again. Where a user moves
  /// the stream, this is where to; a sink that goes away and comes back is played on again.
  ///
  /// The corresponding property is `AVSampleBufferAudioRenderer.audioOutputDeviceUniqueID`.
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
