// SPDX-License-Identifier: Apache-2.0

/// The part of the page about the cost of playing.
struct LoadSection {
  let table: LoadTable

  var markup: Markup {
    .tag(
      "section", [:],
      [
        .tag("h2", text: "Playing"),
        .tag(
          "p",
          text: """
            ‘attacca play’, a process of its own, plays FLAC (48 kHz, stereo) in real time on \
            \(table.server), \(table.seconds) s at each latency once playing is steady. The \
            server’s own part is not counted.
            """),
        .tag("div", ["class": "plots"], [processor, memory, seconds, wakeups].map(\.markup)),
        figures,
      ])
  }

  private var processor: Figure {
    bars(
      "CPU", note: "Per cent of one core, all threads, user and kernel.",
      description: "CPU at each latency in per cent of a core",
      { $0.percent }, text: { "\($0.text(decimals: 2)) %" })
  }

  private var memory: Figure {
    bars(
      "Memory", note: "Resident at most, the program and its libraries included.",
      description: "peak memory at each latency in mebibytes",
      { $0.peakMebibytes }, text: { "\($0.text(decimals: 1)) MiB" })
  }

  /// A bar of `value` for each latency, with `text` of it beside.
  private func bars(
    _ title: String, note: String, description: String,
    _ value: (LoadSeries) -> Double, text: (Double) -> String
  ) -> Figure {
    Figure(
      title: title, note: note,
      plot: BarChart(
        description: "Bars: \(description)",
        bars: table.series.enumerated().map { n, series in
          BarChart.Bar(
            name: series.latency.rawValue, parts: [(value(series), n)], note: text(value(series)))
        }
      ).svg)
  }

  private var wakeups: Figure {
    let roles = Array(ThreadRole.allCases.enumerated())
    return Figure(
      title: "Wakeups a second", note: "Voluntary context switches, by what the thread does.",
      plot: BarChart(
        description: "Bars: wakeups a second at each latency, by thread",
        bars: table.series.map { series in
          BarChart.Bar(
            name: series.latency.rawValue,
            parts: roles.map { (series.wakeups($1), 3 + $0) },
            note: series.wakeups.text(decimals: 1))
        },
        legend: roles.map { (name: $1.rawValue, color: 3 + $0) }
      ).svg)
  }

  private var seconds: Figure {
    let largest = Double(table.series.map(\.distribution.maximum).max() ?? 0) / 1e6
    let lines = table.series.enumerated().map { n, series in
      LineChart.Line(
        name: series.latency.rawValue, color: n,
        points: series.seconds.enumerated().map { (Double($0 + 1), Double($1.processor) / 1e6) })
    }
    return Figure(
      title: "Second by second", note: "CPU time that each second of playing took.",
      plot: LineChart(
        description: "Lines: milliseconds of CPU in each second, at each latency",
        horizontal: .linear("s of playing", through: Double(table.seconds)),
        vertical: .linear("ms", through: largest), lines: lines
      ).svg)
  }

  private var figures: Markup {
    FigureTable(
      head: ["", "CPU %", "µs/s", "in the kernel"] + ThreadRole.allCases.map(\.rawValue)
        + ["all", "peak MiB", "start, CPU ms"],
      rows: table.series.map { series in
        [
          series.latency.rawValue, series.percent.text(decimals: 3),
          series.microsecondsPerSecond.text(decimals: 0),
          series.systemPercent.text(decimals: 0) + " %",
        ] + ThreadRole.allCases.map { series.wakeups($0).text(decimals: 1) }
          + [
            series.wakeups.text(decimals: 1), series.peakMebibytes.text(decimals: 1),
            (Double(series.startProcessor) / 1e6).text(decimals: 1),
          ]
      }
    ).markup
  }
}
