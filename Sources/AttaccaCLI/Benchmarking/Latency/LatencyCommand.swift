// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

struct LatencyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency",
    abstract: "How long commands take to be heard, measured at the monitor of a private server.",
    discussion: """
      Starts a sound server without hardware, plays files on it whose every frame is numbered, and \
      looks at its monitor for the first frame that a command has changed. A frame's time is when \
      its chunk arrived. Tables: 2ms and 200ms are what the recorder collects, which sets the \
      block that the sink renders in; pipewire is PipeWire's server, if it is installed; wake \
      wakes a sink that sleeps.
      """)

  @Option(help: "How often each command is measured; scheduled starts a quarter as often.")
  var count = 200

  @Flag(help: "20 times each.")
  var quick = false

  @Option(help: ArgumentHelp("Length of crossfades and fades, 0 to 1000 ms.", valueName: "ms"))
  var fade = Fade.standard.milliseconds

  @Option(
    help: ArgumentHelp(
      "How much the sound server holds.", valueName: "power-saving|balanced|low"))
  var latency = LatencyChoice.powerSaving

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Tables [all].", valueName: "2ms|200ms|pipewire|wake"))
  var tables: [LatencyBench.Part] = []

  @Option(help: ArgumentHelp("Also write a plot there.", valueName: "file"))
  var svg: String?

  @OptionGroup var reports: ReportOptions

  func validate() throws {
    guard count >= 1 else { throw ValidationError("--count is 1 or more, not \(count).") }
    guard (0...1_000).contains(fade) else {
      throw ValidationError("--fade is 0 to 1000 ms, not \(fade).")
    }
  }

  func run() throws {
    try BenchReport.make(reports, alsoWriting: [svg].compactMap { $0 }) { report, measuring in
      var bench = LatencyBench(progress: measuring.progress)
      bench.count = quick ? 20 : count
      bench.fade = Fade(milliseconds: fade)
      bench.latency = latency.latency
      report.measure(bench, tables)
      if let svg, !report.tables.isEmpty {
        try ReportFile.write(LatencyPlot(report.tables).text, to: svg)
      }
    }
  }
}

extension LatencyBench.Part: ExpressibleByArgument {}
