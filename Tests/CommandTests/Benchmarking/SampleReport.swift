// SPDX-License-Identifier: Apache-2.0

@testable import AttaccaCLI

/// A report of figures that nobody measured, with names that a page must not obey.
enum SampleReport {
  static let hostile = "<script>alert(\"1\")</script> & 'co' \u{7}]]>"

  static var full: BenchReport {
    var report = BenchReport()
    report.render = render
    report.load = load
    report.tables = [latency]
    return report
  }

  private static var render: RenderTable {
    var table = RenderTable(runs: 2)
    table.series = [hostile, "FLAC"].map { name in
      RenderSeries(
        name: name, frameCount: 48_000, sampleRate: 48_000, isExact: false,
        runs: [1, 2].map {
          RenderRun(nanoseconds: $0 * 1_000_000, processorNanoseconds: $0 * 1_500_000)
        })
    }
    table.omissions = [.init(name: "MP3", cause: hostile)]
    return table
  }

  private static var load: LoadTable {
    LoadTable(
      server: hostile, seconds: 2,
      series: [LatencyChoice.powerSaving, .low].map { latency in
        LoadSeries(
          latency: latency,
          seconds: [1, 2].map {
            LoadSecond(processor: $0 * 1_000_000, wakeups: [.mainloop: 4, .decoder: 1])
          }, startProcessor: 5_000_000, user: 6_000_000, system: 2_000_000,
          peakMemory: 18 << 20)
      })
  }

  private static var latency: LatencyTable {
    var table = LatencyTable(
      server: hostile, sink: .rewinding, latency: "power-saving", fade: 5)
    for operation in LatencyOperation.allCases {
      let samples = (1...40).map {
        LatencySample(nanoseconds: $0 * 100_000, silentFrames: 0, complaint: nil)
      }
      table.series.append(LatencySeries(operation: operation, material: "wav", samples: samples))
    }
    return table
  }
}
