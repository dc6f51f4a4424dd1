// SPDX-License-Identifier: Apache-2.0

extension LatencyTable {
  /// One operation with all kinds of files.
  struct Pooled {
    let operation: LatencyOperation
    let distribution: Distribution
  }

  /// All samples of each operation, in the order in which they are measured.
  var pooled: [Pooled] {
    LatencyOperation.allCases.compactMap { operation in
      let samples = series.filter { $0.operation == operation }.flatMap(\.samples)
      guard !samples.isEmpty else { return nil }
      return Pooled(operation: operation, distribution: Distribution(samples.map(\.nanoseconds)))
    }
  }

  /// Returns the reach of a plot that is to show `value` of each operation, in nanoseconds: at most three
  /// times what nine of ten commands take, as one stall of the machine would flatten all else.
  func plotted(_ value: (Distribution) -> Int) -> Int {
    let distributions = pooled.map(\.distribution)
    let usual = distributions.map { $0.percentile(90) }.max() ?? 0
    return min(distributions.map(value).max() ?? 0, 3 * usual)
  }

  /// Name of it, in a few words.
  var name: String {
    switch sink {
    case .rewinding: "A sink that rewinds"
    case .norewinds: "A sink that does not rewind"
    case .pipeWire: "PipeWire"
    }
  }
}
