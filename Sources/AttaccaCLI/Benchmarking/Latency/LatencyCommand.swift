// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

struct LatencyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency",
    abstract: "How long commands take to be heard, on sinks of private servers.",
    discussion: """
      Starts sound servers without hardware, plays files whose every frame is numbered, and finds \
      the first frame that a command has changed. A second stream plays its own numbers beside them, \
      and the server's clock tells which of those is heard when a command is given; so nothing makes \
      the sink's blocks smaller than they are without it. Every frame up to the next command is \
      checked. Ends with 3 where what is heard is wrong.
      """)

  @Option(help: "How often each command is measured.")
  var count = 30

  @Flag(help: "5 times each.")
  var quick = false

  @Option(help: ArgumentHelp("Length of crossfades and fades, 0 to 1000 ms.", valueName: "ms"))
  var fade = Fade.standard.milliseconds

  @Option(
    help: ArgumentHelp(
      "How much the sound server holds.", valueName: "responsive|power-saving|balanced|low"))
  var latency = LatencyChoice.responsive

  @Option(
    help: ArgumentHelp(
      "Kinds of sink, with commas between them [all].", valueName: "rewinding,norewinds,pipewire"))
  var sink = Choices<LatencyBench.Sink>()

  @Option(
    help: ArgumentHelp(
      "With commas between them, of \(LatencyOperation.names) [all].", valueName: "commands"))
  var operations = Choices<LatencyOperation>()

  @Option(help: ArgumentHelp("Also write a plot there.", valueName: "file"))
  var svg: BytePath?

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
      bench.count = quick ? 5 : count
      bench.fade = Fade(milliseconds: fade)
      bench.latency = latency
      if !operations.chosen.isEmpty { bench.operations = operations.chosen }
      report.measure(bench, sink.chosen)
      if let svg, !report.tables.isEmpty {
        try ReportFile.write(LatencyPlot(report.tables).text, to: svg)
      }
    }
  }
}
