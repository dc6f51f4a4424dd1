// SPDX-License-Identifier: Apache-2.0

extension LoadTable {
  /// Everything that was measured, each second included; units are in the keys.
  var json: JSONValue {
    .object([
      ("server", .string(server)),
      ("seconds", .integer(seconds)),
      ("series", .array(series.map(json(of:)))),
    ])
  }

  private func json(of series: LoadSeries) -> JSONValue {
    let wakeups = ThreadRole.allCases.map {
      ($0.rawValue, JSONValue.number(series.wakeups($0).text(decimals: 2)))
    }
    return .object([
      ("latency", .string(series.latency.rawValue)),
      ("cpuPercent", .number(series.percent.text(decimals: 4))),
      (
        "cpuMicrosecondsPerSecond", .number(series.microsecondsPerSecond.text(decimals: 1))
      ),
      (
        "wakeupsPerSecond",
        .object(wakeups + [("all", .number(series.wakeups.text(decimals: 2)))])
      ),
      ("peakMemoryBytes", .integer(series.peakMemory)),
      ("startCpuNanoseconds", .integer(series.startProcessor)),
      ("wholeRunUserNanoseconds", .integer(series.user)),
      ("wholeRunSystemNanoseconds", .integer(series.system)),
      ("eachSecondCpuNanoseconds", .array(series.seconds.map { .integer($0.processor) })),
      (
        "eachSecondWakeups",
        .array(series.seconds.map { .integer($0.wakeups.values.reduce(0, +)) })
      ),
    ])
  }
}
