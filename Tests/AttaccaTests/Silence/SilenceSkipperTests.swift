// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Testing

@Suite struct SilenceSkipperTests {
  /// The signal by which the sums were found: loud and silent stretches, from a generator of 64 bits.
  private static func signal(rate: Int) -> [Bool] {
    var state: UInt64 = 17
    func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
    var silent: [Bool] = []
    while silent.count < rate * 20 {
      silent += [Bool](repeating: false, count: next() % rate)
      let length = next() % 2 == 1 ? next() % (2 * rate) : next() % (rate / 20)
      silent += [Bool](repeating: true, count: length)
    }
    return silent
  }

  private func run(_ silent: [Bool], rate: Int, channels: Int, step: Int) -> [SilenceSkipper.Part] {
    let format = AudioFormat(sampleRate: rate, layout: channels == 1 ? .mono : .stereo)
    let skipper = SilenceSkipper(
      SilenceSkipping(), format: format, at: .zero, within: .zero..<PlayedRange.end)
    var parts: [SilenceSkipper.Part] = []
    for begin in stride(from: 0, to: silent.count, by: step) {
      let count = min(step, silent.count - begin)
      let storage = FrameStorage(capacity: count * channels)
      for i in 0..<count {
        for channel in 0..<channels {
          storage.samples[i * channels + channel] = silent[begin + i] ? 1 / 32 : -1 / 16
        }
      }
      skipper.push(Chunk(storage: storage, frameCount: count, format: format))
      while let part = skipper.popFirst() { parts.append(part) }
    }
    skipper.finish()
    while let part = skipper.popFirst() { parts.append(part) }
    return parts
  }

  @Test(
    arguments: [(44_100, 2, 943_868, 524_811), (48_000, 1, 1_042_650, 647_779)], [1_000, 4_096])
  func
    `a signal comes out as long as from Media3, and with what is left out it is as long as before`(
      signal: (rate: Int, channels: Int, length: Int, heard: Int), step: Int
    )
  {
    let silent = Self.signal(rate: signal.rate)
    #expect(silent.count == signal.length)
    let parts = run(silent, rate: signal.rate, channels: signal.channels, step: step)
    #expect(parts.reduce(0) { $0 + $1.chunk.frameCount } == signal.heard)
    var (end, skipped) = (RationalTime.zero, RationalTime.zero)
    for part in parts {
      #expect((part.begin > end) == (part.behind != nil))
      skipped = skipped + (part.begin - end)
      end = part.end
    }
    #expect(skipped.frames(at: signal.rate) == Int64(signal.length - signal.heard))
    #expect(end == RationalTime(frames: Int64(signal.length), rate: signal.rate))
  }

  @Test func `loud frames stay as they are, and the middle of a silence is a tenth as loud`() {
    let silent =
      [Bool](repeating: false, count: 100) + [Bool](repeating: true, count: 48_000)
      + [Bool](repeating: false, count: 100)
    let parts = run(silent, rate: 48_000, channels: 1, step: 999)
    let samples = parts.flatMap { part in
      Array(UnsafeBufferPointer(start: part.chunk.storage.samples, count: part.chunk.frameCount))
    }
    #expect(samples.count == 48_200 - 37_440)
    #expect(samples.prefix(100).allSatisfy { $0 == -1 / 16 })
    #expect(samples.suffix(100).allSatisfy { $0 == -1 / 16 })
    #expect(samples[100] == 1 / 32 && abs(samples[699] - 0.1 / 32) < 1e-6)
    #expect(samples[699..<(samples.count - 900)].allSatisfy { abs($0 - 0.1 / 32) < 1e-6 })
    // It gets no louder than by a 600th from frame to frame: no click.
    let silence = samples[100..<(samples.count - 100)]
    let steps = zip(silence, silence.dropFirst()).map { abs($0 - $1) }
    #expect(steps.max()! < 1.01 * 0.9 / 599 / 32)
  }

  @Test func `every frame outside the range is heard`() {
    let format = AudioFormat(sampleRate: 2_000, layout: .mono)
    func time(_ frame: Int64) -> RationalTime { RationalTime(frames: frame, rate: 2_000) }
    let skipper = SilenceSkipper(
      SilenceSkipping(), format: format, at: .zero, within: time(1_000)..<time(2_000))
    let storage = FrameStorage(capacity: 3_000)
    storage.samples.update(repeating: 0, count: 3_000)
    skipper.push(Chunk(storage: storage, frameCount: 3_000, format: format))
    skipper.finish()
    var parts: [SilenceSkipper.Part] = []
    while let part = skipper.popFirst() { parts.append(part) }
    let (head, tail) = SilenceModel.kept(of: 1_000)!
    #expect(parts.map(\.chunk.frameCount) == [1_000 + head, tail + 1_000])
    #expect(parts[1].begin == time(Int64(2_000 - tail)))
  }
}
