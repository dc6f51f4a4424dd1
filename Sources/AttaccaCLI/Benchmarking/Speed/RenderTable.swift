// SPDX-License-Identifier: Apache-2.0

/// The speed at which files of several formats are rendered.
struct RenderTable {
  /// A format that is not in the table, and why.
  struct Omission {
    let name: String
    let cause: String
  }

  let runs: Int
  var series: [RenderSeries] = []
  var omissions: [Omission] = []

  /// The time that a frame of `series` takes in terms of one of the first series.
  func ratio(_ series: RenderSeries) -> Double {
    series.nanosecondsPerFrame / self.series[0].nanosecondsPerFrame
  }
}
