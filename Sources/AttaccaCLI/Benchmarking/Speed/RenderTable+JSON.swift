// SPDX-License-Identifier: Apache-2.0

extension RenderTable {
  /// Everything that was measured, each run included; units are in the keys.
  var json: JSONValue {
    .object([
      ("series", .array(series.map(json(of:)))),
      (
        "omitted",
        .array(
          omissions.map { .object([("name", .string($0.name)), ("cause", .string($0.cause))]) })
      ),
    ])
  }

  private func json(of series: RenderSeries) -> JSONValue {
    let distribution = series.distribution
    return .object([
      ("name", .string(series.name)),
      ("frames", .integer(series.frameCount)),
      ("sampleRate", .integer(series.sampleRate)),
      ("samplesCompared", .bool(series.isExact)),
      ("medianNanoseconds", .integer(distribution.percentile(50))),
      ("minNanoseconds", .integer(distribution.percentile(0))),
      ("maxNanoseconds", .integer(distribution.maximum)),
      ("timesRealTime", .number(series.medianSpeed.text(decimals: 2))),
      ("nanosecondsPerFrame", .number(series.nanosecondsPerFrame.text(decimals: 3))),
      ("ratioToFirst", .number(ratio(series).text(decimals: 3))),
      ("cores", .number(series.cores.text(decimals: 3))),
      ("nanoseconds", .array(series.runs.map { .integer($0.nanoseconds) })),
      ("processorNanoseconds", .array(series.runs.map { .integer($0.processorNanoseconds) })),
    ])
  }
}
