// SPDX-License-Identifier: Apache-2.0

/// Histograms one below the other over one axis, each with its median marked.
struct HistogramChart {
  struct Row {
    let name: String
    /// Said behind the name.
    let note: String
    let color: Int
    let distribution: Distribution
  }

  let description: String
  /// In units of `scale` values.
  let axis: Axis
  /// Values of the distributions that are one unit of the axis.
  let scale: Double
  let rows: [Row]

  private static let rowHeight = 50.0
  private static let barHeight = 24.0
  private static let binCount = 70
  private static let edge = 10.0
  private static var plotWidth: Double { Drawing.width - 2 * edge }

  var svg: Markup {
    let bottom = Double(rows.count) * Self.rowHeight + 6
    var content: [Markup] = []
    for tick in axis.ticks {
      let x = Self.edge + tick.place * Self.plotWidth
      content.append(Drawing.line(x, 0, x, bottom + 4, style: "grid"))
      content.append(Drawing.text(tick.text, x: x, y: bottom + 17, anchor: "middle", style: "soft"))
    }
    content.append(
      Drawing.text(
        axis.title, x: Drawing.width / 2, y: bottom + 34, anchor: "middle", style: "soft"))
    for (n, row) in rows.enumerated() { content += draw(row, at: Double(n) * Self.rowHeight) }
    return Drawing.picture(description, height: bottom + 40, content)
  }

  private func draw(_ row: Row, at top: Double) -> [Markup] {
    let binWidth = max(1, Int((axis.end * scale / Double(Self.binCount)).rounded(.up)))
    let bins = row.distribution.histogram(binWidth: binWidth, count: Self.binCount)
    let highest = Double(max(1, bins.max() ?? 1))
    let (base, step) = (top + Self.rowHeight - 4, Self.plotWidth / Double(Self.binCount))
    var marks = [
      Drawing.text(row.name, x: Self.edge, y: top + 14, style: "name \(Drawing.color(row.color))"),
      Drawing.text(
        row.note, x: Drawing.width - Self.edge, y: top + 14, anchor: "end", style: "soft"),
      Drawing.line(Self.edge, base, Self.edge + Self.plotWidth, base, style: "grid"),
    ]
    for (bin, count) in bins.enumerated() where count > 0 {
      // The least there is can be seen.
      let height = max(1.5, Double(count) / highest * Self.barHeight)
      marks.append(
        Drawing.box(
          x: Self.edge + Double(bin) * step, y: base - height, width: step - 0.8, height: height,
          style: Drawing.color(row.color)))
    }
    let median = Double(row.distribution.percentile(50)) / scale
    let x = Self.edge + axis.place(median) * Self.plotWidth
    marks.append(Drawing.line(x, base - Self.barHeight - 2, x, base + 3, style: "mark"))
    return marks
  }
}
