// SPDX-License-Identifier: Apache-2.0

extension LatencyTable {
  /// The table and a histogram of each series, for a terminal.
  var text: String {
    let head = ["", "p50", "p90", "p99", "max", "silent", "goal p50, p99"]
    let rows = series.map { series -> [String] in
      let distribution = series.distribution
      let times = [50, 90, 99].map { distribution.percentile($0) } + [distribution.maximum]
      return ["\(series.material) \(series.operation.rawValue)"]
        + times.map { Milliseconds.text($0) }
        + [series.operation.endsInSilence ? "–" : "\(series.silentFrames)", verdict(on: series)]
    }
    let name = (rows.map { $0[0].count }.max() ?? 0) + 2
    let lines = ([head] + rows).map { row in
      row[0].padded(name) + row[1...5].map { $0.leftPadded(8) }.joined() + "  " + row[6]
    }
    return """
      \(title)
      \(explanation)
      \(underruns) underruns, \(lateSplices) late splices, \(unheard) frames that the monitor did not give

      \(lines.joined(separator: "\n"))

      \(histograms(nameWidth: name))

      """
  }

  private var explanation: String {
    var text = "milliseconds from the call until the first new frame is heard"
    if series.contains(where: { $0.operation == .scheduledStart }) {
      text += " (scheduled-start: between the time asked for and that)"
    }
    return text
  }

  /// As "≤ 5, ≤ 15".
  private func goalText(of operation: LatencyOperation) -> String {
    let goal = goal(of: operation)
    let times = [goal.median] + (goal.percentile99.map { [$0] } ?? [])
    return times.map { "≤ " + Milliseconds.text($0, decimals: 0) }.joined(separator: ", ")
  }

  private func verdict(on series: LatencySeries) -> String {
    if let complaint = series.complaints.first {
      return "wrong \(series.complaints.count) times: \(complaint)"
    }
    return goalText(of: series.operation) + (isMet(by: series) ? "  ✓" : "  ✗")
  }

  /// One line a series: how many of its samples fall into each stretch of time.
  private func histograms(nameWidth: Int) -> String {
    let columns = 50
    let largest = series.map { $0.distribution.percentile(99) }.max() ?? 1
    let width = max(1, (largest / columns / 100_000 + 1) * 100_000)
    let bars = Array(" ▁▂▃▄▅▆▇█")
    let lines = series.map { series -> String in
      let bins = series.distribution.histogram(binWidth: width, count: columns)
      let highest = bins.max() ?? 1
      let text = bins.map { count in
        // The least there is can be seen.
        count == 0 ? bars[0] : bars[max(1, count * (bars.count - 1) / highest)]
      }
      let name = "\(series.material) \(series.operation.rawValue)"
      return name.padded(nameWidth) + "│" + String(text)
    }
    let end = Milliseconds.text(width * columns, decimals: 0) + " ms"
    let axis = String(repeating: "─", count: columns)
    return (lines + ["".padded(nameWidth) + "└" + axis + " " + end]).joined(separator: "\n")
  }
}
