// SPDX-License-Identifier: Apache-2.0

/// Horizontal bars from zero, each with its value at its end.
struct BarChart {
  struct Bar {
    let name: String
    /// One after the other.
    let parts: [(value: Double, color: Int)]
    /// The smallest and the largest of all runs.
    var spread: ClosedRange<Double>?
    /// Words that are said at the end of it.
    let note: String

    fileprivate var end: Double {
      max(parts.reduce(0) { $0 + $1.value }, spread?.upperBound ?? 0)
    }
  }

  let description: String
  let bars: [Bar]
  /// Meanings of the colours, where a bar has more than one.
  var legend: [(name: String, color: Int)] = []

  private static let rowHeight = 42.0
  /// Width that the longest note takes behind the longest bar.
  private var noteWidth: Double { 14 + 7.6 * Double(bars.map(\.note.count).max() ?? 0) }

  var svg: Markup {
    let top = legend.isEmpty ? 0.0 : 26
    let full = max(bars.map(\.end).max() ?? 0, 1e-9)
    var content: [Markup] = []
    var x = 0.0
    for (name, color) in legend {
      content.append(
        Drawing.box(x: x, y: 3, width: 10, height: 10, style: Drawing.color(color)))
      content.append(Drawing.text(name, x: x + 15, y: 12, style: "soft"))
      x += 28 + 7 * Double(name.count)
    }
    for (n, bar) in bars.enumerated() {
      content += draw(bar, at: top + Double(n) * Self.rowHeight, full: full)
    }
    return Drawing.picture(
      description, height: top + Double(bars.count) * Self.rowHeight, content)
  }

  private func draw(_ bar: Bar, at top: Double, full: Double) -> [Markup] {
    let scale = (Drawing.width - noteWidth) / full
    var content = [Drawing.text(bar.name, x: 0, y: top + 13)]
    var x = 0.0
    for (value, color) in bar.parts where value > 0 {
      content.append(
        Drawing.box(
          x: x, y: top + 19, width: value * scale, height: 14, style: Drawing.color(color)))
      x += value * scale
    }
    if let spread = bar.spread {
      let (low, high) = (spread.lowerBound * scale, spread.upperBound * scale)
      content.append(Drawing.line(low, top + 26, high, top + 26, style: "mark"))
      for end in [low, high] {
        content.append(Drawing.line(end, top + 22, end, top + 30, style: "mark"))
      }
    }
    content.append(
      Drawing.text(bar.note, x: max(x, bar.end * scale) + 7, y: top + 30, style: "value"))
    return content
  }
}
