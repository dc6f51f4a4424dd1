// SPDX-License-Identifier: Apache-2.0

/// The speed of rendering on the page.
struct RenderSection {
  let table: RenderTable

  var markup: Markup {
    let length = table.series.first?.length ?? 0
    let omissions = table.omissions.map { "Not measured: \($0.name) (\($0.cause))." }
    return .tag(
      "section", [:],
      [
        .tag("h2", text: "Rendering offline"),
        .tag(
          "p",
          text: """
            \(length.text(decimals: 0)) s of sound in each format, from opening the file to the last \
            frame in memory: decoding, rate conversion where there is one, and mixing; nothing is \
            written. Each result was checked first: its frames were counted, and compared where \
            nothing is lost.
            """),
        .tag("div", ["class": "plots"], [speeds, ratios].map(\.markup)),
        figures,
        .tag("p", ["class": "soft"], text: omissions.joined(separator: " ")),
      ])
  }

  private var speeds: Figure {
    Figure(
      title: "Times faster than played",
      note: "Medians of \(table.runs) runs, with the slowest and the fastest.",
      plot: BarChart(
        description: "Bars: how many times faster than played each format is rendered",
        bars: table.series.map { series in
          let distribution = series.distribution
          return BarChart.Bar(
            name: series.name, parts: [(series.medianSpeed, 0)],
            spread: series.speed(
              distribution.maximum)...series.speed(distribution.percentile(0)),
            note: "\(series.medianSpeed.text(decimals: 0)) ×")
        }
      ).svg)
  }

  private var ratios: Figure {
    let first = table.series.first?.name ?? ""
    return Figure(
      title: "What a frame costs",
      note: "Nanoseconds of wall time a frame, and how many times those of \(first).",
      plot: BarChart(
        description: "Bars: nanoseconds a frame of each format",
        bars: table.series.map { series in
          let time = series.nanosecondsPerFrame.text(decimals: 0)
          return BarChart.Bar(
            name: series.name, parts: [(series.nanosecondsPerFrame, 1)],
            note: "\(time) ns, \(table.ratio(series).text(decimals: 1)) ×")
        }
      ).svg)
  }

  private var figures: Markup {
    FigureTable(
      head: ["s", "median", "min", "max", "× real time", "ns/frame", "cores busy", "checked"],
      rows: table.series.map { series in
        let distribution = series.distribution
        let times = [distribution.percentile(50), distribution.percentile(0), distribution.maximum]
        return [series.name] + times.map { (Double($0) / 1e9).text(decimals: 4) }
          + [
            series.medianSpeed.text(decimals: 0), series.nanosecondsPerFrame.text(decimals: 1),
            series.cores.text(decimals: 2), series.isExact ? "every sample" : "length",
          ]
      }
    ).markup
  }
}
