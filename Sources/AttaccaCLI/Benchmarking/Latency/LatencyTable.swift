// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The figures of one sink.
struct LatencyTable {
  /// The limits that a row is judged by, in nanoseconds.
  struct Goal {
    let median: Int
    /// Nil where the median alone is judged.
    let percentile99: Int?
  }

  let server: String
  let sink: LatencyBench.Sink
  /// As "power-saving".
  let latency: String
  let fade: Int
  /// Nanoseconds that the sink holds at most while the player plays; on PipeWire its quantum.
  var sinkLatency = 0
  var underruns = 0
  /// Rewrites that came too late for their first frames to be heard.
  var lateSplices = 0
  /// Frames that the monitor did not give, and that nothing is said of.
  var unheard = 0
  var series: [LatencySeries] = []

  /// Returns the promise that is made of an operation.
  func goal(of operation: LatencyOperation) -> Goal {
    switch (operation, sink) {
    case (.start, .rewinding): Goal(median: 30_000_000, percentile99: nil)
    case (.start, _): Goal(median: 60_000_000, percentile99: nil)
    case (_, .rewinding): Goal(median: 5_000_000, percentile99: 15_000_000)
    case (_, .norewinds): Goal(median: 10_000_000, percentile99: 20_000_000)
    case (_, .pipeWire): Goal(median: 15_000_000, percentile99: 30_000_000)
    }
  }

  /// As "pulseaudio 16.1, a sink that rewinds, which holds up to 500.0 ms, fade 5 ms".
  var title: String {
    let held = Milliseconds.text(sinkLatency, decimals: 1)
    let sink =
      switch sink {
      case .rewinding: "a sink that rewinds, which holds up to \(held) ms"
      case .norewinds: "a sink that does not rewind, which holds up to \(held) ms"
      case .pipeWire: "a quantum of \(held) ms"
      }
    return "\(server), \(sink), latency \(latency), fade \(fade) ms"
  }

  /// Tells whether everything that a series heard is right, however late.
  func isRight(_ series: LatencySeries) -> Bool {
    series.silentFrames == 0 && series.complaints.isEmpty
  }

  /// True where everything that was heard is right, however late.
  var isRight: Bool { underruns == 0 && series.allSatisfy(isRight) }

  /// Tells whether a series keeps what its table promises.
  func isMet(by series: LatencySeries) -> Bool {
    let (goal, distribution) = (goal(of: series.operation), series.distribution)
    return isRight(series) && distribution.percentile(50) <= goal.median
      && goal.percentile99.map { distribution.percentile(99) <= $0 } ?? true
  }
}
