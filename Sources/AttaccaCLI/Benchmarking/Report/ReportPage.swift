// SPDX-License-Identifier: Apache-2.0

/// A report as one page for a browser, which needs no other file and no network.
struct ReportPage {
  let report: BenchReport

  init(_ report: BenchReport) { self.report = report }

  /// The file's text.
  var text: String {
    let page = Markup.tag(
      "html", ["lang": "en"],
      [
        .tag(
          "head", [:],
          [
            .tag("meta", ["charset": "utf-8"]),
            .tag(
              "meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            .tag("title", text: "attacca bench, \(report.date)"),
            .tag("style", text: ReportStyle.text),
          ]),
        .tag("body", [:], [.tag("main", [:], content)]),
      ])
    return "<!DOCTYPE html>\(page.source)\n"
  }

  private var content: [Markup] {
    var content = [header]
    if !report.tables.isEmpty { content.append(LatencySection.markup(of: report.tables)) }
    if let render = report.render { content.append(RenderSection(table: render).markup) }
    if let load = report.load { content.append(LoadSection(table: load).markup) }
    return content + [footer]
  }

  private var header: Markup {
    var header = [
      Markup.tag("h1", text: "Attacca, measured on this machine"),
      .tag("p", ["class": "soft"], text: "\(report.machine.summary). \(report.date)."),
    ]
    if BenchReport.isDebugBuild {
      header.append(
        .tag(
          "p", ["class": "warning"],
          text: "A debug build, which is many times slower: these figures say little."))
    }
    header += report.failures.map {
      .tag("p", ["class": "warning"], text: "Not measured: \($0)")
    }
    header.append(.tag("dl", ["class": "tiles"], tiles.map(\.markup)))
    return .tag("header", [:], header)
  }

  /// A figure that stands for many.
  private struct Tile {
    let figure: String
    let words: String

    var markup: Markup {
      .tag("div", [:], [.tag("dt", text: figure), .tag("dd", text: words)])
    }
  }

  private var tiles: [Tile] {
    var tiles: [Tile] = []
    if let table = report.tables.first, let seek = table.pooled.first {
      let median = Milliseconds.text(seek.distribution.percentile(50), decimals: 1)
      tiles.append(
        Tile(
          figure: "\(median) ms",
          words: "from ‘\(seek.operation.rawValue)’ to the first new frame at the monitor, median"))
      let silent = report.tables.reduce(0) { $0 + $1.series.reduce(0) { $0 + $1.silentFrames } }
      tiles.append(
        Tile(
          figure: "\(silent)",
          words: "silent \(silent == 1 ? "frame" : "frames") where there should be sound"))
    }
    if let render = report.render,
      let series = render.series.first(where: { $0.name == "FLAC" }) ?? render.series.first
    {
      tiles.append(
        Tile(
          figure: "\(series.medianSpeed.text(decimals: 0)) ×",
          words: "real time: rendering \(series.name) offline"))
    }
    if let series = report.load?.series.first {
      tiles.append(
        Tile(
          figure: "\(series.percent.text(decimals: 2)) %",
          words: "of one core to play FLAC (\(series.latency.rawValue))"))
      tiles.append(
        Tile(
          figure: series.wakeups.text(decimals: 1),
          words: "wakeups a second, all threads (\(series.latency.rawValue))"))
    }
    return tiles
  }

  private var footer: Markup {
    let load = report.machine.loadAverage.text(decimals: 2)
    return .tag(
      "footer", [:],
      [
        .tag(
          "p",
          text: """
            attacca \(report.version), \(BenchReport.buildNote). The machine's load average was \
            \(load) when the measurement began. Sound servers were private ones without hardware.
            """),
        .tag(
          "p",
          text: """
            Percentiles are nearest ranks of all samples; nothing was left out. Compare only \
            figures that were measured on one machine.
            """),
      ])
  }
}
