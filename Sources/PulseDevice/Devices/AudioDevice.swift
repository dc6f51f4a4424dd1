// SPDX-License-Identifier: Apache-2.0

import PulseAudio
public import SampleBuffers

/// A device that a sound server plays on, as the server described it at one moment.
public struct AudioDevice: Hashable, Sendable, Identifiable {
  /// The work that a device does.
  public enum State: Hashable, Sendable {
    /// Something plays.
    case running
    /// Nothing plays; the device is open.
    case idle
    /// The device is closed.
    case suspended
  }

  /// The name that `PulseAudioRenderer.outputDevice` takes; no other device of the server has it.
  public let name: String
  /// The name to show, as in "Built-in Audio Analog Stereo".
  public let summary: String
  /// The device's own rate and channels, which a renderer on it has.
  public let format: AudioFormat
  /// True where sounds that are meant for no other device go there.
  public let isDefault: Bool
  /// The work it does.
  public let state: State
  /// The server's driver of it, as in "module-alsa-card.c"; "PipeWire" on PipeWire.
  public let driver: String
  /// True for a device of which it is known that it takes back what it was given and has not played, so
  /// that edits are heard at once; false where nothing is known, as on PipeWire.
  public let isKnownToRewind: Bool

  /// The device's identity: its `name`.
  public var id: String { name }

  /// A description of one's own, as for tests of a list that shows devices.
  public init(
    name: String, summary: String, format: AudioFormat, isDefault: Bool = false,
    state: State = .idle, driver: String = "", isKnownToRewind: Bool = false
  ) {
    (self.name, self.summary, self.format) = (name, summary, format)
    (self.isDefault, self.state) = (isDefault, state)
    (self.driver, self.isKnownToRewind) = (driver, isKnownToRewind)
  }

  init(_ sink: PulseSink) {
    let state: State =
      switch sink.state {
      case .running: .running
      case .idle: .idle
      case .suspended: .suspended
      }
    self.init(
      name: sink.name, summary: sink.summary, format: sink.format, isDefault: sink.isDefault,
      state: state, driver: sink.driver, isKnownToRewind: sink.isKnownToRewind)
  }
}
