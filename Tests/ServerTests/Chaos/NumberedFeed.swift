// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation

/// Gives a renderer frames that name themselves, an item over and over.
final class NumberedFeed: @unchecked Sendable {
  // @unchecked: `next` is touched under `lock` only.
  private static let run = 9_600
  /// Frames by which what was enqueued last is near a time.
  static let reach: Int64 = 5 * 48_000
  private let item: Int
  private let length: Int
  private let samples: [Float]
  private let lock = NSLock()
  /// The first frame of the next buffer.
  private var next: Int64 = 0
  /// Told a frame of the item that follows no other in what is enqueued; set before it is used.
  var begins: (@Sendable (Int) -> Void)?

  init(item: Int, length: Int) {
    (self.item, self.length) = (item, length)
    samples = TestSound.numbered(item, 0..<length)
  }

  /// Begins with the first frame again.
  func begin() { lock.withLock { next = 0 } }

  /// Enqueues as much as is wanted, from `time` on where that is not near what was enqueued last.
  func fill(_ renderer: AudioRenderer, from time: MediaTime) {
    lock.withLock {
      let now = Int64(max(0, time.seconds) * 48_000)
      if next < now || next > now + Self.reach {
        next = now
        begins?(Int(next % Int64(length)))
      }
      while renderer.isReadyForMoreMediaData {
        let storage = FrameStorage(capacity: 2 * Self.run)
        for i in 0..<Self.run {
          let frame = Int((next + Int64(i)) % Int64(length))
          storage.samples[2 * i] = samples[2 * frame]
          storage.samples[2 * i + 1] = samples[2 * frame + 1]
        }
        renderer.enqueue(
          SampleBuffer(
            storage: storage, format: TestSound.format, frameCount: Self.run,
            time: RationalTime(frames: next, rate: 48_000)))
        next += Int64(Self.run)
      }
    }
  }
}
