// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct AllBenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "all",
    abstract: "Everything: render, load and latency, one after the other.")

  @Flag(help: "In about two minutes: shorter sounds, fewer runs.")
  var quick = false

  @OptionGroup var reports: ReportOptions

  func run() throws {
    try BenchReport.make(reports) { report, measuring in
      var render = RenderBench(progress: measuring.progress)
      var load = LoadBench(measuring: measuring)
      var latency = LatencyBench(progress: measuring.progress)
      if quick {
        (render.seconds, render.runs) = (20, 3)
        load.seconds = 5
        latency.count = 3
      }
      report.measure(render)
      report.measure(load)
      report.measure(latency, [])
    }
  }
}
