// SPDX-License-Identifier: Apache-2.0

import Attacca
import Synchronization

/// A mono ramp at 48 kHz, of which so many frames are there as the test says; for more it waits.
struct GatedSource: AudioSource {
  let name: String
  let frameCount: Int64
  let gate = Gate()

  final class Gate: Sendable {
    /// Frames that are there.
    let available = Atomic<Int64>(0)
    /// How often the source has been opened.
    let opened = Atomic<Int>(0)
  }

  func open() async throws -> sending any AudioSourceReader {
    gate.opened.add(1, ordering: .relaxed)
    return Reader(frameCount: frameCount, gate: gate)
  }

  private final class Reader: AudioSourceReader {
    let format = StepSource.format
    let frameCount: Int64?
    private let gate: Gate
    private var position: Int64 = 0

    init(frameCount: Int64, gate: Gate) { (self.frameCount, self.gate) = (frameCount, gate) }

    func seek(to frame: Int64) { position = frame }

    func read(into samples: UnsafeMutableBufferPointer<Float>) -> AudioRead {
      guard position < frameCount ?? .max else { return .end }
      let there = min(gate.available.load(ordering: .relaxed), frameCount ?? .max) - position
      let count = min(Int64(samples.count), there)
      guard count > 0 else { return .wait(SourceWait("buffering", askAfterMilliseconds: 2)) }
      for n in 0..<count { samples[Int(n)] = StepSource.sample(position + n) }
      position += count
      return .frames(Int(count))
    }
  }
}
