// SPDX-License-Identifier: Apache-2.0

import Attacca

/// One table of latencies on the page.
struct LatencySection {
  let table: LatencyTable

  private static let milliseconds = 1e6

  /// All tables, and how they were made.
  static func markup(of tables: [LatencyTable]) -> Markup {
    .tag(
      "section", [:],
      [
        .tag("h2", text: "From the command to the ear"),
        .tag(
          "p",
          text: """
            A private server plays files whose every frame is numbered, beside a stream that plays its \
            own numbers on another channel and tells the time: what a sink renders at once is what it \
            renders without being listened to. A command’s time is from the call until the first frame \
            is heard that it has changed; a scheduled start’s is its distance from the time that was \
            asked for.
            """),
      ] + tables.flatMap { LatencySection(table: $0).content })
  }

  private var content: [Markup] {
    [
      .tag("h3", text: table.name), .tag("p", ["class": "soft"], text: table.title + "."),
      .tag("div", ["class": "plots"], [curves, histograms].map(\.markup)), figures,
    ] + complaints
  }

  private var curves: Figure {
    let pooled = table.pooled
    let vertical = Axis.linear(
      "ms", through: Double(table.plotted { $0.maximum }) / Self.milliseconds)
    let count = pooled.map(\.distribution.values.count).max() ?? 0
    let lines = pooled.enumerated().map { n, series in
      LineChart.Line(
        name: series.operation.rawValue, color: n, points: points(of: series.distribution))
    }
    return Figure(
      title: "Percentiles",
      note: """
        How many of a hundred commands were heard within how long. All kinds of files.\
        \(beyond(vertical.end))
        """,
      plot: LineChart(
        description: "Percentile curves of each command's latency in milliseconds",
        horizontal: .percentiles("per cent of commands", of: count),
        vertical: vertical, lines: lines
      ).svg)
  }

  /// Names the commands whose slowest is not in a plot that reaches to `end` milliseconds.
  private func beyond(_ end: Double) -> String {
    let above = table.pooled.filter { Double($0.distribution.maximum) / Self.milliseconds > end }
    guard !above.isEmpty else { return "" }
    let names = above.map {
      "\($0.operation.rawValue) (\(Milliseconds.text($0.distribution.maximum, decimals: 0)) ms)"
    }
    return " Above the plot: \(names.joined(separator: ", "))."
  }

  private func points(of distribution: Distribution) -> [(x: Double, y: Double)] {
    let count = Double(distribution.values.count)
    return distribution.values.enumerated().map { n, value in
      ((Double(n) + 0.5) / count * 100, Double(value) / Self.milliseconds)
    }
  }

  private var histograms: Figure {
    let pooled = table.pooled
    let end = Double(table.plotted { $0.percentile(99) }) / Self.milliseconds
    let rows = pooled.enumerated().map { n, series in
      let times = [50, 99].map { Milliseconds.text(series.distribution.percentile($0)) }
      return HistogramChart.Row(
        name: series.operation.rawValue, note: "p50 \(times[0]) · p99 \(times[1])", color: n,
        distribution: series.distribution)
    }
    return Figure(
      title: "How the times fall",
      note: "The line is the median; what is beyond the axis is in the last bar.",
      plot: HistogramChart(
        description: "A histogram of each command's latency in milliseconds",
        axis: .linear("ms", through: end), scale: Self.milliseconds,
        rows: rows
      ).svg)
  }

  private func verdict(on series: LatencySeries) -> String {
    let count = series.complaints.count
    if count > 0 { return "wrong \(count) \(count == 1 ? "time" : "times")" }
    return table.isMet(by: series) ? "as wanted" : "missed"
  }

  /// Complaints about what else was heard than it should.
  private var complaints: [Markup] {
    table.series.flatMap { series in
      series.complaints.map {
        .tag(
          "p", ["class": "warning"],
          text: "\(series.operation.rawValue), \(series.material): \($0).")
      }
    }
  }

  /// As "5, 15".
  private func wanted(of operation: LatencyOperation) -> String {
    let goal = table.goal(of: operation)
    let times = [goal.median] + (goal.percentile99.map { [$0] } ?? [])
    return times.map { Milliseconds.text($0, decimals: 0) }.joined(separator: ", ")
  }

  private var figures: Markup {
    FigureTable(
      head: ["ms", "p50", "p90", "p99", "max", "wanted", "silent frames", "commands", ""],
      rows: table.series.map { series in
        let distribution = series.distribution
        let times = [50, 90, 99].map { distribution.percentile($0) } + [distribution.maximum]
        return ["\(series.operation.rawValue), \(series.material)"]
          + times.map { Milliseconds.text($0) }
          + [
            wanted(of: series.operation),
            series.operation.endsInSilence ? "–" : "\(series.silentFrames)",
            "\(series.samples.count)", verdict(on: series),
          ]
      }
    ).markup
  }
}
