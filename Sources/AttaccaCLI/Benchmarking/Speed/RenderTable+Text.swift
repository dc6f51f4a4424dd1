// SPDX-License-Identifier: Apache-2.0

extension RenderTable {
  /// The table with a bar for each speed, for a terminal.
  var text: String {
    let head = ["", "median", "min", "max", "× real time", "ns/frame", "ratio", "cores"]
    let rows = series.map { series -> [String] in
      let distribution = series.distribution
      let times = [distribution.percentile(50), distribution.percentile(0), distribution.maximum]
      return [series.name] + times.map { (Double($0) / 1e9).text(decimals: 4) }
        + [
          series.medianSpeed.text(decimals: 0), series.nanosecondsPerFrame.text(decimals: 1),
          ratio(series).text(decimals: 2), series.cores.text(decimals: 2),
        ]
    }
    let name = (rows.map { $0[0].columns }.max() ?? 0) + 2
    let lines = ([head] + rows).map { row in
      row[0].padded(name) + row[1...3].map { $0.leftPadded(9) }.joined()
        + row[4].leftPadded(13) + row[5...7].map { $0.leftPadded(10) }.joined()
    }
    let missing = omissions.map { "not measured: \($0.name): \($0.cause)\n" }.joined()
    return """
      rendering offline, \(runs) runs each: decoded, converted and mixed, not written
      seconds of wall time; ratio: time of a frame to that of \(series.first?.name ?? "the first")

      \(lines.joined(separator: "\n"))

      \(bars(nameWidth: name))
      \(missing)
      """
  }

  private func bars(nameWidth: Int) -> String {
    let columns = 50
    let largest = series.map(\.medianSpeed).max() ?? 1
    return series.map { series in
      let eighths = Int((series.medianSpeed / largest * Double(8 * columns)).rounded())
      let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
      let bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
      return series.name.padded(nameWidth) + "│\(bar) \(series.medianSpeed.text(decimals: 0)) ×\n"
    }.joined()
  }
}
