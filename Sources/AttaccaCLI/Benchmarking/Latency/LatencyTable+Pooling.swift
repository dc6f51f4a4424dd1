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

  /// Which one it is, in a few words.
  var name: String {
    switch kind {
    case .fine: "Small blocks"
    case .coarse: "Large blocks"
    case .pipeWire: "PipeWire"
    case .wake: "A sink that sleeps"
    }
  }
}
