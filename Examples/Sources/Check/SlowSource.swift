// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation

/// A second of 0.5, of which the second half takes 6 s to come.
struct SlowSource: AudioSource {
  let name: String
  /// Whether the call does not return meanwhile; where not, it says that it waits.
  let isBlocking: Bool

  func open() async throws -> sending any AudioSourceReader { Reader(isBlocking: isBlocking) }

  private final class Reader: AudioSourceReader {
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let frameCount: Int64? = 48_000
    private let isBlocking: Bool
    private var position: Int64 = 0
    private var due: ContinuousClock.Instant?

    init(isBlocking: Bool) { self.isBlocking = isBlocking }

    func seek(to frame: Int64) { position = frame }

    func read(into samples: UnsafeMutableBufferPointer<Float>) -> AudioRead {
      guard position < 48_000 else { return .end }
      if position >= 24_000 {
        let due = self.due ?? .now + .seconds(6)
        self.due = due
        if isBlocking { Thread.sleep(forTimeInterval: 6) }
        if !isBlocking, due > .now {
          return .wait(SourceWait("one moment", askAfterMilliseconds: 100))
        }
      }
      let end: Int64 = position < 24_000 ? 24_000 : 48_000
      let count = min(samples.count, Int(end - position))
      for i in 0..<count { samples[i] = 0.5 }
      position += Int64(count)
      return .frames(count)
    }
  }
}
