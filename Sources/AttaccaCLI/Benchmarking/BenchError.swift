// SPDX-License-Identifier: Apache-2.0

/// A measurement that could not be made, in a sentence that says why and what to do.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Neither PulseAudio nor PipeWire is there.
  static let noServer = BenchError(
    "no sound server is installed, and a private one is what is measured with: "
      + "apt-get install pulseaudio")
}
