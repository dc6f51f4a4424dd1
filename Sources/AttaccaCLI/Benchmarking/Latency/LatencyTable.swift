// SPDX-License-Identifier: Apache-2.0

import Attacca

/// What was measured on one server with one recorder.
struct LatencyTable {
  /// What a table is judged by, in nanoseconds.
  struct Goal {
    let median: Int?
    let percentile99: Int
  }

  let server: String
  /// Milliseconds that the recorder collects.
  let fragment: Int
  /// Frames that the sink renders at a time, as seen at the monitor.
  var block = 0
  let fade: Int
  var underruns = 0
  /// Rewrites that came too late for their first frames to be heard.
  var lateSplices = 0
  let kind: Kind
  var series: [LatencySeries] = []

  enum Kind: Hashable {
    /// The sink's block is a matter of milliseconds.
    case fine
    /// The recorder makes the sink render in large blocks.
    case coarse
    /// A graph whose quantum cannot be taken back.
    case pipeWire
    /// The sink is asleep when the command is given.
    case wake
  }

  private var blockTime: Int { block * 1_000_000_000 / HeadlessServer.format.sampleRate }

  /// Nil where nothing is promised.
  var goal: Goal? {
    switch kind {
    case .fine: Goal(median: 5_000_000, percentile99: 20_000_000)
    case .coarse: Goal(median: nil, percentile99: blockTime + 5_000_000)
    case .pipeWire: Goal(median: nil, percentile99: blockTime + 10_000_000)
    case .wake: nil
    }
  }

  /// As "pulseaudio 16.1, recorder of 2 ms, sink block 2.0 ms, fade 5 ms".
  var title: String {
    let block = Milliseconds.text(blockTime, decimals: 1)
    let name = kind == .pipeWire ? "quantum" : "sink block"
    return "\(server), recorder of \(fragment) ms, \(name) \(block) ms, fade \(fade) ms"
  }

  /// Whether a series keeps what its table promises.
  func isMet(by series: LatencySeries) -> Bool {
    guard series.silentFrames == 0, series.complaints.isEmpty else { return false }
    guard let goal else { return true }
    let distribution = series.distribution
    if let median = goal.median, distribution.percentile(50) > median { return false }
    return distribution.percentile(99) <= goal.percentile99
  }
}
