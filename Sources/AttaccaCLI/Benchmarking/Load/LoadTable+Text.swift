// SPDX-License-Identifier: Apache-2.0

extension LoadTable {
  /// The table and what each second took, for a terminal.
  var text: String {
    let head =
      ["", "CPU %", "µs/s", "system %"] + ThreadRole.allCases.map(\.rawValue)
      + ["all", "peak MiB", "start ms"]
    let rows = series.map { series -> [String] in
      [series.latency.rawValue, series.percent.text(decimals: 3)]
        + [series.microsecondsPerSecond, series.systemPercent].map { $0.text(decimals: 0) }
        + ThreadRole.allCases.map { series.wakeups($0).text(decimals: 1) }
        + [
          series.wakeups.text(decimals: 1), series.peakMebibytes.text(decimals: 1),
          (Double(series.startProcessor) / 1e6).text(decimals: 1),
        ]
    }
    let lines = ([head] + rows).map { row in
      row[0].padded(14) + row.dropFirst().map { $0.leftPadded(9) }.joined()
    }
    return """
      playing FLAC, 48 kHz, stereo, as a process of its own on \(server), \(seconds) s each
      CPU: per cent of a core and µs a second of sound; wakeups a second by thread; start: CPU \
      until playing is steady

      \(lines.joined(separator: "\n"))

      \(histograms)

      """
  }

  /// One line a latency: how many of its seconds took how much.
  private var histograms: String {
    let columns = 50
    let largest = series.map { $0.distribution.maximum }.max() ?? 1
    // Whole tenths of a millisecond.
    let width = (largest / columns / 100_000 + 1) * 100_000
    let bars = Array(" ▁▂▃▄▅▆▇█")
    let lines = series.map { series -> String in
      let bins = series.distribution.histogram(binWidth: width, count: columns)
      let highest = bins.max() ?? 1
      // The least there is can be seen.
      let text = bins.map {
        $0 == 0 ? bars[0] : bars[max(1, $0 * (bars.count - 1) / highest)]
      }
      return series.latency.rawValue.padded(14) + "│" + String(text)
    }
    let axis = String(repeating: "─", count: columns)
    let end = Milliseconds.text(width * columns, decimals: 0)
    let last = "".padded(14) + "└" + axis + " \(end) ms of CPU in a second"
    return (lines + [last]).joined(separator: "\n")
  }
}

extension LoadSeries {
  var peakMebibytes: Double { Double(peakMemory) / Double(1 << 20) }
}
