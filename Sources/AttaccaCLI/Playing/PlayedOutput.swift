// SPDX-License-Identifier: Apache-2.0

import Attacca

/// A renderer to listen to, alone or as the only voice of a bus with a limiter behind its gains.
struct PlayedOutput: Sendable {
  let renderer: AudioRenderer
  /// Tells mixers what is playing.
  let setMediaName: @Sendable (String) -> Void

  /// The sound server's; nil for the default device.
  static func pulse(
    _ device: String?, _ latency: Latency, _ limiter: LimiterEffect?
  ) throws(PulseError) -> PlayedOutput {
    guard let limiter else {
      let renderer = try PulseAudioRenderer(
        device: device, latency: latency, applicationName: "attacca")
      return PlayedOutput(renderer: renderer) { renderer.setMediaName($0) }
    }
    let bus = try PulseAudioBus(device: device, latency: latency, applicationName: "attacca")
    bus.effects = [limiter]
    return PlayedOutput(renderer: bus.makeRenderer()) { bus.setMediaName($0) }
  }

  /// One in real time into nothing.
  static func silence(_ latency: Latency, _ limiter: LimiterEffect?) -> PlayedOutput {
    guard let limiter else {
      return PlayedOutput(renderer: NullRenderer(latency: latency)) { _ in }
    }
    let bus = NullBus(latency: latency)
    bus.effects = [limiter]
    return PlayedOutput(renderer: bus.makeRenderer()) { _ in }
  }
}
