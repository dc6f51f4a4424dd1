// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import Testing

@Suite("Frame pool") struct FramePoolTests {
  private let format = AudioFormat(sampleRate: 48_000, layout: .mono)

  @Test func `memory is lent again only when the last slice of its buffer is gone`() {
    let pool = FramePool()
    var slice: SampleBuffer?
    var first: UnsafeMutablePointer<Float>?
    do {
      let storage = pool.take(samples: 100)
      first = storage.samples
      slice = SampleBuffer(storage: storage, format: format, frameCount: 100, time: .zero)
        .slice(10..<11)
    }
    #expect(pool.take(samples: 100).samples != first)
    let kept = slice?.heardFrameCount
    slice = nil
    #expect(kept == 1)
    let again = [pool.take(samples: 100), pool.take(samples: 100)].map(\.samples)
    #expect(again.contains { $0 == first })
  }

  @Test func `what is lent at one time never overlaps`() {
    let pool = FramePool()
    let lent = (1...20).map { pool.take(samples: $0 * 10) }
    for (i, storage) in lent.enumerated() {
      #expect(storage.capacity >= (i + 1) * 10)
      for j in 0..<storage.capacity { storage.samples[j] = Float(i) }
    }
    for (i, storage) in lent.enumerated() { #expect(storage.samples[0] == Float(i)) }
  }
}
