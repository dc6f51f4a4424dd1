// SPDX-License-Identifier: Apache-2.0

import Attacca
import CAllocationCounter
import MediaTime
@testable import Rendering
import Testing

/// A sanitizer has its own allocator, which cannot be counted.
private let isCounting = allocations_on_this_thread() >= 0

@Suite(.enabled(if: isCounting)) struct RenderPathTests {
  private func allocations(_ body: () -> Void) -> Int {
    let before = allocations_on_this_thread()
    body()
    return allocations_on_this_thread() - before
  }

  @Test func `the counter sees an array come and go`() {
    var count = 0
    let seen = allocations { count = [Int](repeating: 1, count: .random(in: 500...600)).count }
    #expect(seen >= 2 && count >= 500)
  }

  @Test func `rendering allocates and frees nothing`() {
    var line = RenderLine(channelCount: 2, capacity: 4_801, rate: 48_000)
    let source = ramp(1, 9_600)
    _ = line.append(source, media: 0, count: 4_800)
    line.start(at: 0, fade: 0)
    line.heard(1_000)
    _ = line.append(source, media: 4_800, count: 900)
    line.setVolume(0.5, at: 1_500, length: 240)
    var automation = VolumeAutomation()
    automation.setVolumeRamp(
      fromStartVolume: 1, toEndVolume: 0.5,
      timeRange: MediaTimeRange(
        start: MediaTime(value: 1, timescale: 24), duration: MediaTime(value: 1, timescale: 48)))
    line.setTimelineVolume(VolumeCurve(automation), at: 1_600)
    line.begin(ContentGain(key: ContentKey(item: 1, pass: 0), media: 0, factor: 1))
    line.begin(
      ContentGain(
        key: ContentKey(item: 2, pass: 0), media: 3_000, factor: 0.5,
        volume: VolumeCurve(automation)))
    _ = line.stop(at: 5_000, fade: 480)
    var out = [Float](repeating: 0, count: 2 * 6_000)
    var counts: [Int] = []
    counts.reserveCapacity(4)
    out.withUnsafeMutableBufferPointer { out in
      let target = out.baseAddress!
      // Content, both gains, the ring's end and silence on both sides; the first time warms up.
      for _ in 0..<2 {
        counts.removeAll(keepingCapacity: true)
        for frames in stride(from: 1, to: 6_000, by: 1_733) {
          let before = allocations_on_this_thread()
          line.render(from: 900, frames: frames, into: target)
          counts.append(allocations_on_this_thread() - before)
        }
      }
    }
    #expect(counts == [0, 0, 0, 0])
    #expect(out[2 * 100] == source[2 * 1_000])
  }
}
