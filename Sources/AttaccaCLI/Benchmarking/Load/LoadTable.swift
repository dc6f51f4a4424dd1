// SPDX-License-Identifier: Apache-2.0

/// The cost of real playback.
struct LoadTable {
  /// Name that the server has for itself.
  let server: String
  /// Seconds that were watched at each latency.
  let seconds: Int
  var series: [LoadSeries] = []
}
