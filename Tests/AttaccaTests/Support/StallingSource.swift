// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch

/// A ramp whose frame `place` is not there before it is let go.
final class StallingSource: FrameSource, @unchecked Sendable {
  // @unchecked: used by one thread at a time, but for the semaphore.
  private let ramp: RampSource
  private let place: Int64
  private let gate: DispatchSemaphore
  private var position: Int64 = 0

  init(path: String, place: Int64, gate: DispatchSemaphore) throws(SoundFileError) {
    ramp = try RampSource(path: path)
    (self.place, self.gate) = (place, gate)
  }

  var format: AudioFormat { ramp.format }
  var frameCount: Int64? { ramp.frameCount }
  var tags: Tags { ramp.tags }
  var truncation: SoundFileError? { nil }

  func seek(to frame: Int64) throws(SoundFileError) {
    position = frame
    try ramp.seek(to: frame)
  }

  func read(frames: Int) throws(SoundFileError) -> Chunk? {
    if position <= place, place < position + Int64(frames) {
      gate.wait()
      gate.signal()
    }
    let chunk = try ramp.read(frames: frames)
    position += Int64(chunk?.frameCount ?? 0)
    return chunk
  }
}
