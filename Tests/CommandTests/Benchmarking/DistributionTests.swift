// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AttaccaCLI

struct DistributionTests {
  @Test func `percentiles are nearest ranks`() {
    let distribution = Distribution((1...200).reversed())
    #expect(distribution.percentile(0) == 1)
    #expect(distribution.percentile(0.5) == 1)
    #expect(distribution.percentile(0.6) == 2)
    #expect(distribution.percentile(50) == 100)
    #expect(distribution.percentile(99) == 198)
    #expect(distribution.percentile(100) == 200)
    #expect(distribution.maximum == 200)
  }

  @Test func `of one value every percentile is that`() {
    let distribution = Distribution([7])
    #expect([0, 50, 99.9, 100].map { distribution.percentile($0) } == [7, 7, 7, 7])
  }

  @Test func `the last bin takes what is beyond`() {
    let distribution = Distribution([0, 9, 10, 19, 20, 29, 30, 1_000])
    #expect(distribution.histogram(binWidth: 10, count: 3) == [2, 2, 4])
  }

  @Test func `a speed is the length by the time, and the median is of all runs`() {
    let runs = [30, 10, 20].map { RenderRun(nanoseconds: $0 * 1_000_000, processorNanoseconds: 0) }
    let series = RenderSeries(
      name: "x", frameCount: 96_000, sampleRate: 48_000, isExact: true, runs: runs)
    #expect(series.medianSpeed == 100)
    #expect((series.nanosecondsPerFrame * 96).rounded() == 20_000)
  }

  @Test func `what a second takes is what the seconds took by their number`() {
    let seconds = [1_000_000, 3_000_000].map {
      LoadSecond(processor: $0, wakeups: [.mainloop: 3, .queues: 1])
    }
    let series = LoadSeries(
      latency: .low, seconds: seconds, startProcessor: 0, user: 3, system: 1, peakMemory: 0)
    #expect(series.microsecondsPerSecond == 2_000)
    #expect(series.percent == 0.2)
    #expect(series.systemPercent == 25)
    #expect(series.wakeups(.mainloop) == 3)
    #expect(series.wakeups == 4)
  }

  @Test(arguments: [
    (0.0, 0, "0"), (0.5, 0, "1"), (-0.4, 0, "0"), (-1.25, 1, "-1.3"), (0.05, 2, "0.05"),
    (1234.5678, 3, "1234.568"), (9.999, 2, "10.00"),
  ])
  func `numbers are written with the decimals asked for`(
    value: Double, decimals: Int, text: String
  ) {
    #expect(value.text(decimals: decimals) == text)
  }
}
