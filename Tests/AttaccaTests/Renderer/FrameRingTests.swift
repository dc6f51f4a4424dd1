// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering
import Testing

@Suite struct FrameRingTests {
  private func held(_ ring: borrowing FrameRing, _ range: Range<StreamFrame>) -> [Float] {
    var out = [Float](repeating: .nan, count: range.count * ring.channelCount)
    out.withUnsafeMutableBufferPointer {
      ring.copy(from: range.lowerBound, frames: range.count, into: $0.baseAddress!)
    }
    return out
  }

  @Test(arguments: [1, 2, 3, 7, 64]) func `frames come back in order round the end of the memory`(
    capacity: Int
  ) {
    var ring = FrameRing(channelCount: 2, capacity: capacity)
    ring.clear(at: -3)
    for frame in -3..<20 {
      if ring.room == 0 { ring.discard(before: ring.begin + 1) }
      ring.append([Float(2 * frame), Float(2 * frame + 1)], frames: 1)
      let range = ring.begin..<ring.end
      let first = Int(2 * ring.begin.number)
      #expect(held(ring, range) == ramp(first, 2 * range.count))
    }
  }

  @Test func `what is not held reads as silence on both sides`() {
    var ring = FrameRing(channelCount: 1, capacity: 4)
    ring.clear(at: 10)
    ring.append(ramp(1, 3), frames: 3)
    #expect(held(ring, 8..<15) == [0, 0, 1, 2, 3, 0, 0])
    ring.truncate(at: 12)
    ring.discard(before: 11)
    #expect(held(ring, 8..<15) == [0, 0, 0, 2, 0, 0, 0])
  }

  @Test func `shifting renumbers the frames and keeps them`() {
    var ring = FrameRing(channelCount: 1, capacity: 4)
    ring.append(ramp(1, 4), frames: 4)
    ring.discard(before: 2)
    ring.shift(by: 1_000_001)
    ring.append(ramp(5, 1), frames: 1)
    #expect(held(ring, 1_000_002..<1_000_007) == [0, 3, 4, 5, 0])
    ring.shift(by: -1_000_011)
    #expect(held(ring, (-8)..<(-5)) == [3, 4, 5])
  }

  @Test func `frames can be replaced across the end of the memory`() {
    var ring = FrameRing(channelCount: 1, capacity: 4)
    ring.append(ramp(1, 4), frames: 4)
    ring.discard(before: 3)
    ring.append(nil, frames: 3)
    ring.overwrite(ramp(7, 3), at: 3, frames: 3)
    #expect(held(ring, 3..<7) == [7, 8, 9, 0])
  }

  @Test func `of what is appended as much is taken as finds room`() {
    var ring = FrameRing(channelCount: 1, capacity: 4)
    let taken = ring.append(ramp(1, 5), frames: 5)
    let more = ring.append(nil, frames: 1)
    #expect((taken, more) == (4, 0))
    #expect(held(ring, -1..<5) == [0, 1, 2, 3, 4, 0])
  }

  @Test func `only what is held is overwritten`() {
    var ring = FrameRing(channelCount: 1, capacity: 4)
    ring.clear(at: 10)
    ring.append(ramp(1, 3), frames: 3)
    ring.overwrite(ramp(7, 2), at: 12, frames: 2)
    ring.overwrite(ramp(5, 2), at: 9, frames: 2)
    ring.overwrite(ramp(5, 2), at: 20, frames: 2)
    #expect(held(ring, 9..<15) == [0, 6, 2, 7, 0, 0])
  }
}
