// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct LoadBenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "What real playback takes: CPU, wakeups, memory.",
    discussion: """
      Plays a FLAC file on a private server with `attacca play`, a process of its own, once at \
      each latency. CPU time is the kernel's count of it, all threads; wakeups are voluntary \
      context switches; memory is what was resident at most. The server's own part is not counted.
      """)

  @Option(help: ArgumentHelp("How long at each latency, 1 to 3600.", valueName: "s"))
  var seconds = 10

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "How much the sound server holds [each].", valueName: "responsive|power-saving|balanced|low"))
  var latency: [LatencyChoice] = []

  @OptionGroup var reports: ReportOptions

  func validate() throws {
    guard (1...3_600).contains(seconds) else {
      throw ValidationError("--seconds is 1 to 3600, not \(seconds).")
    }
  }

  func run() throws {
    try BenchReport.make(reports) { report, measuring in
      var bench = LoadBench(measuring: measuring)
      bench.seconds = seconds
      if !latency.isEmpty { bench.latencies = latency }
      report.measure(bench)
    }
  }
}
