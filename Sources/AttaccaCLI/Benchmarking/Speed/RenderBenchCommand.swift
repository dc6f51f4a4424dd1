// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

struct RenderBenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "How fast files are rendered offline, format by format.",
    discussion: """
      Makes a sound, writes it in each format that libsndfile can write here, checks that what is \
      rendered has every frame, and then times it: decoding, rate conversion where there is one, \
      and mixing, from opening the file to the last frame in memory. Nothing is written.
      """)

  @Argument(help: "Files to render, each at its own rate [sounds that are made for it].")
  var files: [BytePath] = []

  @Option(help: ArgumentHelp("Length of the sounds that are made, 1 to 3600.", valueName: "s"))
  var seconds = 60

  @Option(help: ArgumentHelp("How often each is timed, 1 to 1000.", valueName: "count"))
  var runs = 5

  @OptionGroup var reports: ReportOptions

  func validate() throws {
    guard (1...3_600).contains(seconds) else {
      throw ValidationError("--seconds is 1 to 3600, not \(seconds).")
    }
    guard (1...1_000).contains(runs) else {
      throw ValidationError("--runs is 1 to 1000, not \(runs).")
    }
  }

  func run() throws {
    try BenchReport.make(reports) { report, measuring in
      var bench = RenderBench(progress: measuring.progress)
      (bench.seconds, bench.runs, bench.paths) = (seconds, runs, files)
      report.measure(bench)
    }
  }
}
