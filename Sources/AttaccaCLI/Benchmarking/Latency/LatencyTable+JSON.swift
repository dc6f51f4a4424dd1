// SPDX-License-Identifier: Apache-2.0

import Attacca

extension LatencyTable {
  /// Everything that was measured, each sample included; times in nanoseconds.
  var json: JSONValue {
    .object([
      ("server", .string(server)),
      ("sink", .string(sink.rawValue)),
      ("latency", .string(latency)),
      ("sinkLatency", .integer(sinkLatency)),
      ("sampleRate", .integer(HeadlessServer.format.sampleRate)),
      ("fadeMilliseconds", .integer(fade)),
      ("underruns", .integer(underruns)),
      ("lateSplices", .integer(lateSplices)),
      ("unheardFrames", .integer(unheard)),
      ("series", .array(series.map(json(of:)))),
    ])
  }

  private func json(of series: LatencySeries) -> JSONValue {
    let (distribution, goal) = (series.distribution, goal(of: series.operation))
    return .object([
      ("operation", .string(series.operation.rawValue)),
      ("material", .string(series.material)),
      ("p50", .integer(distribution.percentile(50))),
      ("p90", .integer(distribution.percentile(90))),
      ("p99", .integer(distribution.percentile(99))),
      ("max", .integer(distribution.maximum)),
      (
        "goal",
        .object([
          ("p50", .integer(goal.median)),
          ("p99", goal.percentile99.map { .integer($0) } ?? .null),
        ])
      ),
      ("silentFrames", .integer(series.silentFrames)),
      ("wrong", .array(series.complaints.map { .string($0) })),
      ("isMet", .bool(isMet(by: series))),
      ("nanoseconds", .array(series.samples.map { .integer($0.nanoseconds) })),
    ])
  }
}
