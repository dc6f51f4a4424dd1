// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation

/// A sound without end whose place can be told from any frame, also where it has been converted: left
/// and right are the cosine and sine of an angle that turns ten times a second.
enum TurningSound {
  /// Frames of a turn.
  static let period = 4_800
  private static let radius = 0.5

  private static let second: FrameStorage = {
    let storage = FrameStorage(capacity: 2 * 48_000)
    for frame in 0..<48_000 {
      let angle = 2 * .pi * Double(frame % period) / Double(period)
      storage.samples[2 * frame] = Float(radius * cos(angle))
      storage.samples[2 * frame + 1] = Float(radius * sin(angle))
    }
    return storage
  }()

  /// Enqueues it whenever `renderer` wants more.
  static func play(on renderer: AudioRenderer) {
    // The queue's block is the only one that counts.
    nonisolated(unsafe) var next: Int64 = 0
    renderer.requestMediaDataWhenReady(on: DispatchQueue(label: "turning")) { [unowned renderer] in
      while renderer.isReadyForMoreMediaData {
        renderer.enqueue(
          SampleBuffer(
            storage: second, format: TestSound.format, frameCount: 48_000,
            time: RationalTime(frames: next * 48_000, rate: 48_000)))
        next += 1
      }
    }
  }

  /// The place in the turn that a frame is, in frames; nil where it is no frame of this sound.
  static func place(_ left: Float, _ right: Float) -> Double? {
    let (x, y) = (Double(left), Double(right))
    guard abs((x * x + y * y).squareRoot() - radius) < radius / 1_000 else { return nil }
    let place = atan2(y, x) / (2 * .pi) * Double(period)
    return place < 0 ? place + Double(period) : place
  }
}
