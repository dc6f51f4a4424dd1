// SPDX-License-Identifier: Apache-2.0

import Attacca
import Synchronization

/// A file on a network that is lost now and then: it waits for a moment, and once in a while cannot be opened.
final class LossySource: AudioSource {
  /// The network is gone.
  struct Lost: Error {}

  let name: String
  private let frameCount: Int
  /// Waits and refusals of all sources.
  static let losses = Atomic<Int>(0)
  /// True while nothing can be opened.
  static let isDown = Atomic<Bool>(false)

  init(name: String, frameCount: Int) { (self.name, self.frameCount) = (name, frameCount) }

  func open() async throws -> sending any AudioSourceReader {
    if Self.isDown.load(ordering: .relaxed) {
      Self.losses.add(1, ordering: .relaxed)
      throw Lost()
    }
    return Reader(frameCount: frameCount)
  }

  private final class Reader: AudioSourceReader {
    let format = AudioFormat(sampleRate: Books.rate, layout: .mono)
    let frameCount: Int64?
    private let count: Int
    private var position = 0
    private var reads = 0

    init(frameCount: Int) { (self.frameCount, count) = (Int64(frameCount), frameCount) }

    func seek(to frame: Int64) { position = min(Int(frame), count) }

    func read(into samples: UnsafeMutableBufferPointer<Float>) -> AudioRead {
      reads += 1
      if reads % 7 == 0 {
        LossySource.losses.add(1, ordering: .relaxed)
        return .wait(SourceWait("lost", askAfterMilliseconds: 1))
      }
      let frames = min(samples.count, count - position)
      guard frames > 0 else { return .end }
      for i in 0..<frames { samples[i] = Float(Books.sample(position + i)) / 32_768 }
      position += frames
      return .frames(frames)
    }
  }
}
