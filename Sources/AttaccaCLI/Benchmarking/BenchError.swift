// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A measurement that could not be made, in a sentence that says why and what to do.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// A call that failed, such as `open FILE`, and why: `code` as in `errno`.
  init(call: String, code: Int32 = errno) {
    self.init("\(call): \(String(cString: strerror(code)))")
  }

  /// Neither PulseAudio nor PipeWire is there.
  static let noServer = BenchError(
    "no sound server is installed, and a private one is what is measured with: "
      + "apt-get install pulseaudio")
}
