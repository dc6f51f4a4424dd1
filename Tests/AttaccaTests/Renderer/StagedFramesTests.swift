// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import Testing

@Suite struct StagedFramesTests {
  private func samples(_ staged: StagedFrames) -> [Float] {
    Array(UnsafeBufferPointer(start: staged.samples, count: staged.count * staged.channelCount))
  }

  @Test func `a gap is silence and what lies before the end is dropped`() {
    let staged = StagedFrames(media: 100, rate: 48_000, channelCount: 1, capacity: 10)
    #expect(staged.append(ramp(1, 3), media: 100, frames: 3) == 3)
    #expect(staged.append(ramp(4, 2), media: 105, frames: 2) == 2)
    #expect(staged.append(ramp(9, 4), media: 104, frames: 4) == 4)
    #expect(samples(staged) == [1, 2, 3, 0, 0, 4, 5, 12])
    #expect(staged.append(ramp(1, 2), media: 90, frames: 2) == 2)
    #expect(staged.count == 8)
  }

  @Test func `what finds no room is told`() {
    let staged = StagedFrames(media: 0, rate: 48_000, channelCount: 1, capacity: 4)
    #expect(staged.append(ramp(1, 6), media: 0, frames: 6) == 4)
    #expect(staged.room == 0)
    let gap = StagedFrames(media: 0, rate: 48_000, channelCount: 1, capacity: 4)
    #expect(gap.append(ramp(1, 1), media: 6, frames: 1) == 0)
    #expect(samples(gap) == [0, 0, 0, 0])
  }

  @Test func `skipping moves the first frame`() {
    let staged = staged(ramp(1, 5), media: 20)
    staged.skip(2)
    #expect(staged.media == 22)
    #expect(samples(staged) == [3, 4, 5])
    #expect(staged.room == 0)
  }

  @Test func `skipping more than there is traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      StagedFrames(media: 0, rate: 48_000, channelCount: 1, capacity: 4).skip(1)
    }
    #expect(end.says("1 of 0 frames skipped"))
  }

  @Test func `the power of unrelated material is kept in a crossfade`() {
    let length = 240
    // Two channels that each hold one side only: their squares must add up to one.
    let old = (0..<(2 * length)).map { Float(1 - $0 % 2) }
    let new = StagedFrames(media: 0, rate: 48_000, channelCount: 2, capacity: length)
    _ = new.append((0..<(2 * length)).map { Float($0 % 2) }, media: 0, frames: length)
    new.fadeIn(from: old, frames: length)
    let mixed = samples(new)
    for i in 0..<length {
      let (out, into) = (mixed[2 * i], mixed[2 * i + 1])
      #expect(abs(out * out + into * into - 1) < 1e-6)
      if i > 0 { #expect(out < mixed[2 * i - 2] && into > mixed[2 * i - 1]) }
    }
    #expect(mixed[0] > 0.999 && mixed[2 * length - 1] > 0.999)
  }
}
