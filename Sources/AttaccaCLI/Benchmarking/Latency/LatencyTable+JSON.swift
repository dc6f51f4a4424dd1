// SPDX-License-Identifier: Apache-2.0

import Attacca

extension LatencyTable {
  /// Everything that was measured, each sample included; times in nanoseconds.
  var json: JSONValue {
    .object([
      ("server", .string(server)),
      ("recorderMilliseconds", .integer(fragment)),
      ("sinkBlockFrames", .integer(block)),
      ("sampleRate", .integer(HeadlessServer.format.sampleRate)),
      ("fadeMilliseconds", .integer(fade)),
      ("underruns", .integer(underruns)),
      ("lateSplices", .integer(lateSplices)),
      ("goal", goalJSON),
      ("series", .array(series.map(json(of:)))),
    ])
  }

  private var goalJSON: JSONValue {
    guard let goal else { return .null }
    return .object([
      ("p50", goal.median.map { .integer($0) } ?? .null),
      ("p99", .integer(goal.percentile99)),
      ("silentFrames", .integer(0)),
    ])
  }

  private func json(of series: LatencySeries) -> JSONValue {
    let distribution = series.distribution
    return .object([
      ("operation", .string(series.operation.rawValue)),
      ("material", .string(series.material)),
      ("p50", .integer(distribution.percentile(50))),
      ("p90", .integer(distribution.percentile(90))),
      ("p99", .integer(distribution.percentile(99))),
      ("max", .integer(distribution.maximum)),
      ("silentFrames", .integer(series.silentFrames)),
      ("wrong", .array(series.complaints.map { .string($0) })),
      ("isMet", goal == nil ? .null : .bool(isMet(by: series))),
      ("nanoseconds", .array(series.samples.map { .integer($0.nanoseconds) })),
    ])
  }
}
