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
            A private server plays files whose every frame is numbered. A command’s time is from \
            the call to the arrival of the first frame at the sink’s monitor that it has changed; a \
            scheduled start’s is its distance from the time that was asked for. What the recorder \
            collects sets the block that a sink renders in, and so how soon anything can be heard.
            """),
      ] + tables.flatMap { LatencySection(table: $0).content })
  }

  private var content: [Markup] {
    [
      .tag("h3", text: table.name), .tag("p", ["class": "soft"], text: table.title + goalText),
      .tag("div", ["class": "plots"], [curves, histograms].map(\.markup)), figures,
    ] + complaints
  }

  private var goalText: String {
    guard let goal = table.goal else { return "." }
    let median = goal.median.map { "p50 ≤ \(Milliseconds.text($0, decimals: 0)) ms, " } ?? ""
    let tail = Milliseconds.text(goal.percentile99, decimals: 0)
    return ". Wanted: \(median)p99 ≤ \(tail) ms, no silent frame."
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
    return table.goal == nil ? "" : table.isMet(by: series) ? "as wanted" : "missed"
  }

  /// What else was heard than it should.
  private var complaints: [Markup] {
    table.series.flatMap { series in
      series.complaints.map {
        .tag(
          "p", ["class": "warning"],
          text: "\(series.operation.rawValue), \(series.material): \($0).")
      }
    }
  }

  private var figures: Markup {
    FigureTable(
      head: ["ms", "p50", "p90", "p99", "max", "silent frames", "commands", ""],
      rows: table.series.map { series in
        let distribution = series.distribution
        let times = [50, 90, 99].map { distribution.percentile($0) } + [distribution.maximum]
        return ["\(series.operation.rawValue), \(series.material)"]
          + times.map { Milliseconds.text($0) }
          + [
            series.operation.endsInSilence ? "–" : "\(series.silentFrames)",
            "\(series.samples.count)", verdict(on: series),
          ]
      }
    ).markup
  }
}
