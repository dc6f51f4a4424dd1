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

  @Option(help: "How often each command is measured.")
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

  @Option(help: ArgumentHelp("Also write all figures there.", valueName: "file"))
  var json: String?

  @Option(help: ArgumentHelp("Also write a plot there.", valueName: "file"))
  var svg: String?

  func validate() throws {
    guard count >= 1 else { throw ValidationError("--count is 1 or more, not \(count).") }
    guard (0...1_000).contains(fade) else {
      throw ValidationError("--fade is 0 to 1000 ms, not \(fade).")
    }
  }

  func run() throws {
    do {
      let results = try measure()
      if let json {
        let value = JSONValue.object([("tables", .array(results.map(\.json)))])
        try ReportFile.write(value.text() + "\n", to: json)
      }
      if let svg { try ReportFile.write(LatencyPlot(results).text, to: svg) }
    } catch {
      TextOutput.standard.flush()
      TextOutput.errors.write("attacca: \(error)\n")
      TextOutput.errors.flush()
      throw ExitCode(ExitStatus.refused.rawValue)
    }
    TextOutput.standard.flush()
  }

  private func measure() throws -> [LatencyTable] {
    var bench = LatencyBench(progress: BenchProgress())
    bench.count = quick ? 20 : count
    bench.fade = Fade(milliseconds: fade)
    bench.latency = latency.latency
    var results: [LatencyTable] = []
    for part in tables.isEmpty ? LatencyBench.Part.allCases : tables {
      if tables.isEmpty, part == .pipeWire, let package = part.server.missingPackage {
        TextOutput.errors.write("no table for PipeWire: \(package) is not installed\n")
        continue
      }
      let table = try bench.measure(part)
      TextOutput.standard.write(table.text + "\n")
      results.append(table)
    }
    return results
  }
}

extension LatencyBench.Part: ExpressibleByArgument {}
