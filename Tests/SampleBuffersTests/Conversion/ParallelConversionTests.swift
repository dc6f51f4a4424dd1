// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
@testable import SampleBuffers
import TestSeeds
import Testing

/// Conversion that is cut into blocks, which several threads convert.
@Suite("Parallel conversion") struct ParallelConversionTests {
  private static let rates = [
    (44_100, 48_000), (48_000, 44_100), (96_000, 48_000), (88_200, 48_000), (48_000, 96_000),
    (22_050, 44_100), (192_000, 48_000), (96_000, 44_100),
  ]

  private func noise(_ frames: Int, layout: ChannelLayout, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    let count = frames * layout.channelCount
    return [Float](unsafeUninitializedCapacity: count) { samples, initialized in
      for i in 0..<count {
        // Loud and soft in turn, so that all bits of a Float32 count.
        let gain: Float = i % 20_000 < 10_000 ? 0x1p-32 : 0x1p-40
        samples[i] = Float(Int32(truncatingIfNeeded: random.next())) * gain
      }
      initialized = count
    }
  }

  /// What comes of `runs` of frames at their rates, one behind the other.
  private func converted(
    _ runs: [(samples: [Float], rate: Int)], to rate: Int, layout: ChannelLayout,
    quality: RateConverter.Quality, block: Int?
  ) -> Tape {
    let queue = DispatchQueue(label: "test", attributes: .concurrent)
    let converter = TimelineConverter(
      output: AudioFormat(sampleRate: rate, layout: layout), quality: quality,
      parallel: block.map {
        ParallelConversion(queue: queue, threads: 3, blockSamples: $0)
      })
    var tape = Tape(channelCount: layout.channelCount)
    var time = RationalTime.zero
    for run in runs {
      let whole = SampleBuffer(run.samples, rate: run.rate, layout: layout, time: time)
      time = whole.endTime
      for begin in stride(from: 0, to: whole.frameCount, by: 30_011) {
        let piece = whole.slice(begin..<min(begin + 30_011, whole.frameCount))
        converter.convert(piece) { tape.record($0, $1) }
      }
    }
    converter.finish { tape.record($0, $1) }
    return tape
  }

  private func expectEqual(
    _ runs: [(samples: [Float], rate: Int)], to rate: Int, layout: ChannelLayout = .mono,
    quality: RateConverter.Quality = .veryHigh, block: Int = 20_000,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let one = converted(runs, to: rate, layout: layout, quality: quality, block: nil)
    let many = converted(runs, to: rate, layout: layout, quality: quality, block: block)
    #expect(many.gaps.isEmpty, sourceLocation: sourceLocation)
    #expect(many.first == one.first, sourceLocation: sourceLocation)
    #expect(firstDifference(many.samples, one.samples) == nil, sourceLocation: sourceLocation)
  }

  @Test(arguments: Self.rates)
  func `blocks that are converted side by side are the uninterrupted conversion to the bit`(
    rates: (from: Int, to: Int)
  ) throws {
    let period = try #require(
      ConverterPeriod(from: rates.from, to: rates.to, quality: .veryHigh))
    let count = max(2 * period.input + 7_777, 100_000)
    expectEqual(
      [(noise(count, layout: .mono, seed: UInt64(rates.from)), rates.from)], to: rates.to)
  }

  @Test(arguments: [RateConverter.Quality.quick, .low, .medium, .high])
  func `they are at lower qualities too`(quality: RateConverter.Quality) {
    let sound = noise(70_001, layout: .stereo, seed: 1)
    expectEqual([(sound, 44_100)], to: 48_000, layout: .stereo, quality: quality)
    expectEqual([(sound, 96_000)], to: 48_000, layout: .stereo, quality: quality)
  }

  @Test(arguments: [0, 1, 5, 1_632, 1_633, 1_634])
  func `a run that ends anywhere about the end of a block is whole`(extra: Int) throws {
    let period = try #require(ConverterPeriod(from: 96_000, to: 48_000, quality: .veryHigh))
    for count in [extra, period.input + extra, 2 * period.input + extra] where count > 0 {
      expectEqual([(noise(count, layout: .mono, seed: 2), 96_000)], to: 48_000, block: 1)
    }
  }

  @Test func `runs of several rates meet as they do where one thread converts`() {
    let rates = [44_100, 48_000, 96_000, 44_100, 88_200, 8_000, 22_050]
    expectEqual(
      rates.map { (noise($0 * 3 / 2, layout: .stereo, seed: UInt64($0)), $0) }, to: 48_000,
      layout: .stereo)
  }

  @Test func `rates that soxr filters in blocks twice, or has no exact ratio of, have no period`() {
    for (from, to) in [(8_000, 48_000), (44_100, 192_000), (44_101, 48_000)] {
      #expect(ConverterPeriod(from: from, to: to, quality: .veryHigh) == nil)
    }
  }
}
