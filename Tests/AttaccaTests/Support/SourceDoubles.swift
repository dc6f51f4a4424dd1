// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch

/// A source that hangs in `read` until it is let go.
final class HangingSource: FrameSource, @unchecked Sendable {
  // @unchecked: immutable but for the semaphore.
  private let gate: DispatchSemaphore
  let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
  let frameCount: Int64? = nil
  let tags = Tags()
  let truncation: SoundFileError? = nil

  init(gate: DispatchSemaphore) { self.gate = gate }

  func seek(to frame: Int64) throws(SoundFileError) {}

  func read(frames: Int) throws(SoundFileError) -> Chunk? {
    gate.wait()
    gate.signal()
    return nil
  }
}
