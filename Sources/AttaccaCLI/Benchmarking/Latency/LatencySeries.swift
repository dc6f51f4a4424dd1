// SPDX-License-Identifier: Apache-2.0

/// All samples of one operation with one kind of file.
struct LatencySeries {
  let operation: LatencyOperation
  /// As "wav".
  let material: String
  var samples: [LatencySample] = []

  var distribution: Distribution { Distribution(samples.map(\.nanoseconds)) }
  var silentFrames: Int { samples.reduce(0) { $0 + $1.silentFrames } }
  var complaints: [String] { samples.compactMap(\.complaint) }
}
