// SPDX-License-Identifier: Apache-2.0

/// Tables as one picture that needs nothing else: a panel a table, a histogram a series.
struct LatencyPlot {
  private let tables: [LatencyTable]

  init(_ tables: [LatencyTable]) { self.tables = tables }

  private static let width = 900
  private static let left = 190
  private static let right = 230
  private static let rowHeight = 34
  private static let binCount = 120
  private static var plotWidth: Int { width - left - right }

  /// The SVG file's text.
  var text: String {
    var (y, body) = (20, "")
    for table in tables {
      let height = 96 + table.series.count * Self.rowHeight
      body += "<g transform=\"translate(0 \(y))\">\n\(panel(table))</g>\n"
      y += height
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(y)" \
      font-family="system-ui, sans-serif" font-size="12">
      <title>From the call until the first new frame is heard</title>
      <style>
      svg { background: #fff } text { fill: #222 } .soft { fill: #666 } .bar { fill: #3572b0 }
      .grid { stroke: #ddd } .goal { stroke: #c0392b; stroke-dasharray: 4 3 } .late { fill: #c0392b }
      .mark { stroke: #222; stroke-width: 1.5 }
      @media (prefers-color-scheme: dark) {
      svg { background: #16181c } text { fill: #e4e4e4 } .soft { fill: #9aa0a6 }
      .bar { fill: #6ba6e6 } .grid { stroke: #33373d } .mark { stroke: #e4e4e4 } }
      </style>
      \(body)</svg>

      """
  }

  private func panel(_ table: LatencyTable) -> String {
    // Up to a round number of milliseconds beyond everything, the goals included.
    let largest =
      table.series.map { series in
        let goal = table.goal(of: series.operation)
        return max(series.distribution.maximum, goal.median, goal.percentile99 ?? 0)
      }.max() ?? 0
    let step = Self.tick(for: largest)
    let end = (largest / step + 1) * step
    let bottom = 40 + table.series.count * Self.rowHeight
    var svg = "<text x=\"16\" y=\"12\" font-size=\"14\" font-weight=\"600\">\(table.title)</text>\n"
    for time in stride(from: 0, through: end, by: step) {
      let x = Self.x(time, end)
      svg += "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"26\" y2=\"\(bottom)\"/>"
      svg += "<text class=\"soft\" x=\"\(x)\" y=\"\(bottom + 16)\" text-anchor=\"middle\">"
      svg += "\(time / 1_000_000)</text>\n"
    }
    svg += "<text class=\"soft\" x=\"\(Self.width - Self.right + 16)\" y=\"\(bottom + 16)\">"
    svg += "ms</text>\n"
    for (i, series) in table.series.enumerated() {
      svg += row(
        series, end: end, base: 34 + (i + 1) * Self.rowHeight, isMet: table.isMet(by: series),
        goal: table.goal(of: series.operation))
    }
    return svg
  }

  private func row(
    _ series: LatencySeries, end: Int, base: Int, isMet: Bool, goal: LatencyTable.Goal
  ) -> String {
    let distribution = series.distribution
    let bins = distribution.histogram(
      binWidth: max(1, end / Self.binCount), count: Self.binCount)
    let highest = max(1, bins.max() ?? 1)
    let full = Self.rowHeight - 8
    var path = ""
    for (i, count) in bins.enumerated() where count > 0 {
      // The least there is can be seen.
      let height = max(1, count * full / highest)
      let x = Self.left + i * Self.plotWidth / Self.binCount
      let width = Self.left + (i + 1) * Self.plotWidth / Self.binCount - x
      path += "M\(x) \(base)v-\(height)h\(width)v\(height)z"
    }
    var svg = "<text x=\"\(Self.left - 10)\" y=\"\(base - 4)\" text-anchor=\"end\">"
    svg +=
      "\(series.material) \(series.operation.rawValue)</text><path class=\"bar\" d=\"\(path)\"/>"
    let times = [50, 99].map { distribution.percentile($0) }
    for time in times {
      let x = Self.x(time, end)
      svg += "<line class=\"mark\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(base - 10)\" y2=\"\(base + 2)\"/>"
    }
    for time in [goal.median, goal.percentile99].compactMap({ $0 }) {
      let x = Self.x(time, end)
      svg += "<line class=\"goal\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(base - full)\" y2=\"\(base)\"/>"
    }
    let silence = series.operation.endsInSilence ? "" : ", \(series.silentFrames) silent"
    svg += "<text class=\"\(isMet ? "soft" : "late")\" x=\"\(Self.width - Self.right + 16)\" "
    svg +=
      "y=\"\(base - 4)\">p50 \(Milliseconds.text(times[0])), p99 \(Milliseconds.text(times[1]))"
    return svg + "\(silence)</text>\n"
  }

  private static func x(_ time: Int, _ end: Int) -> Int { left + time * plotWidth / end }

  /// Nanoseconds between two lines of the grid: five to twelve of them.
  private static func tick(for largest: Int) -> Int {
    let ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map { $0 * 1_000_000 }
    return ticks.first { largest / $0 < 11 } ?? ticks.last!
  }
}
