// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Testing

/// Opens ramps; those with one path only once it is let go.
final class OpeningGate: Sendable {
  private let held: String
  private let gate = DispatchSemaphore(value: 0)
  private let isReached = DispatchSemaphore(value: 0)

  init(holding path: String = "") { held = path }

  func letGo() { gate.signal() }

  /// Waits until the held path is being opened, for a minute at most.
  func reach() {
    #expect(isReached.wait(timeout: .now() + 60) == .success, "\(held) is not being opened")
  }

  /// One that opens through this gate, and gives up on nothing: what is held up stays so.
  var decoder: DecoderWatchdog {
    DecoderWatchdog(timeout: 600) { [self] path throws(SoundFileError) in
      if path == held {
        isReached.signal()
        gate.wait()
        gate.signal()
      }
      return try RampSource(path: path)
    }
  }
}
