// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import Glibc

/// All that one call of `attacca bench` has measured, with what it was measured on.
struct BenchReport {
  let machine = Machine()
  let version = AttaccaCommand.configuration.version
  /// The minute at which it began, as "2026-05-24 18:03 UTC".
  let date = Self.now
  var render: RenderTable?
  var load: LoadTable?
  /// Of latency.
  var tables: [LatencyTable] = []
  /// Measurements that were not possible, and why.
  private(set) var failures: [String] = []

  #if DEBUG
    static let isDebugBuild = true
  #else
    static let isDebugBuild = false
  #endif
  static var buildNote: String { isDebugBuild ? "debug build" : "release build" }

  /// Has `measure` fill a report, and writes it to where `options` say.
  ///
  /// Errors are said on standard error, and end the command with 1; a signal ends it with 4. A report
  /// with something wrong in it is written, and ends the command with 3.
  static func make(
    _ options: ReportOptions, alsoWriting files: [BytePath] = [],
    _ measure: (inout BenchReport, Measuring) throws -> Void
  ) throws {
    let interruption = BenchInterruption()
    let signals = interruption.catchSignals()
    defer { withExtendedLifetime(signals) {} }
    do {
      // Better now than after minutes of measuring.
      for path in files + [options.json, options.html].compactMap({ $0 }) {
        try ReportFile.check(path)
      }
      var report = BenchReport()
      let measuring = Measuring(progress: BenchProgress(), interruption: interruption)
      if isDebugBuild {
        measuring.progress.say("attacca: a debug build, which is many times slower")
      }
      try measure(&report, measuring)
      // What has been measured is kept, whatever has failed.
      if report.render == nil, report.load == nil, report.tables.isEmpty {
        throw ExitCode(ExitStatus.refused.rawValue)
      }
      if let path = options.json { try ReportFile.write(report.json.text() + "\n", to: path) }
      if let path = options.html { try ReportFile.write(ReportPage(report).text, to: path) }
      if !report.failures.isEmpty { throw ExitCode(ExitStatus.refused.rawValue) }
      if !report.isRight { throw ExitCode(ExitStatus.someFailed.rawValue) }
    } catch let code as ExitCode {
      TextOutput.standard.flush()
      TextOutput.errors.flush()
      throw code
    } catch {
      TextOutput.standard.flush()
      TextOutput.errors.write("attacca: \(error)\n".withoutControls)
      TextOutput.errors.flush()
      throw ExitCode(ExitStatus.refused.rawValue)
    }
    TextOutput.standard.flush()
    TextOutput.errors.flush()
  }

  /// Measures the speed of rendering, and shows it.
  mutating func measure(_ bench: RenderBench) {
    attempt("render") { report throws in
      let table = try bench.measure()
      TextOutput.standard.write(table.text + "\n")
      report.render = table
    }
  }

  /// Measures what playing takes, and shows it.
  mutating func measure(_ bench: LoadBench) {
    attempt("load") { report throws in
      let table = try bench.measure()
      TextOutput.standard.write(table.text + "\n")
      report.load = table
    }
  }

  /// Measures latencies, and shows them; on all kinds of sinks where `sinks` is empty.
  mutating func measure(_ bench: LatencyBench, _ sinks: [LatencyBench.Sink]) {
    var due: [LatencyBench.Sink] = []
    attempt("latency") { _ throws in due = try bench.available(sinks) }
    for sink in due {
      attempt("latency \(sink.rawValue)") { report throws in
        let table = try bench.measure(sink)
        TextOutput.standard.write(table.text + "\n")
        report.tables.append(table)
      }
    }
  }

  /// One failure does not take away what else can be measured.
  private mutating func attempt(
    _ name: String, _ body: (inout BenchReport) throws -> Void
  ) {
    do {
      try body(&self)
    } catch {
      failures.append("\(name): \(error)")
      // In its order with what has been shown.
      TextOutput.standard.flush()
      TextOutput.errors.write("attacca: \(error)\n".withoutControls)
    }
  }

  /// True where nothing was heard that should not be; times that are long are not wrong.
  var isRight: Bool { tables.allSatisfy(\.isRight) }

  /// Keys with their units; see docs/bench.md.
  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("version", .string(version)), ("build", .string(Self.buildNote)), ("date", .string(date)),
      ("machine", machine.json),
    ]
    if let render { members.append(("render", render.json)) }
    if let load { members.append(("load", load.json)) }
    if !tables.isEmpty { members.append(("tables", .array(tables.map(\.json)))) }
    if !failures.isEmpty {
      members.append(("failures", .array(failures.map { .string($0) })))
    }
    return .object(members)
  }

  private static var now: String {
    var (seconds, parts) = (time(nil), tm())
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%d %H:%M UTC", &parts)
    return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }
}
