// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// Options for where the sound goes, and how soon it can be changed there.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Where to: auto, pulse, null (silence in real time) or a new file, whose extension says of \
      which type. auto is pulse, or null where there is no sound server.
      """, valueName: "auto|pulse|null|file"))
  var output = OutputChoice.auto

  @Option(help: "The sound server's output, as `attacca devices` names it.")
  var device: String?

  @Option(
    help: ArgumentHelp(
      """
      How much the sound server holds, and the blocks in which its device takes that: responsive \
      (2 s, 4 ms), power-saving (2 s, 50 ms), balanced (0.5 s, 4 ms) or low (60 ms, 7 ms).
      """, valueName: "responsive|power-saving|balanced|low"))
  var latency = LatencyChoice.responsive

  @Option(help: ArgumentHelp("Fade of pauses, seeks and skips, 0 to 1000 ms.", valueName: "ms"))
  var fade = Fade.standard.milliseconds

  /// True where the sound goes into a file, and nobody listens.
  var isFile: Bool { if case .file = output { true } else { false } }

  func validate() throws {
    if device != nil, output != .auto, output != .pulse {
      throw ValidationError("--device is an output of the sound server, which --output leaves out.")
    }
    guard (0...1_000).contains(fade) else {
      throw ValidationError("--fade is 0 to 1000 ms, not \(fade).")
    }
  }

  init() {}

  /// Opens the device, with `limiter` behind its gains; nil for none.
  func open(_ limiter: LimiterEffect?) throws -> PlayedOutput {
    if output == .null { return .silence(latency.latency, limiter) }
    do throws(PulseError) {
      return try .pulse(device, latency.latency, limiter)
    } catch {
      // A device that was asked for by name is not replaced by silence.
      guard output == .auto, device == nil else {
        TextOutput.errors.write("attacca: \(ErrorText.of(error))\n")
        TextOutput.errors.flush()
        throw ExitCode(ExitStatus.refused.rawValue)
      }
      TextOutput.errors.write("attacca: \(ErrorText.of(error)); playing in silence\n")
      return .silence(latency.latency, limiter)
    }
  }
}
