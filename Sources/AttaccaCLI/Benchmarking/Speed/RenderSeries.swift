// SPDX-License-Identifier: Apache-2.0

import Attacca

/// All runs of one file.
struct RenderSeries {
  let name: String
  let frameCount: Int
  let sampleRate: Int
  /// True where each sample was compared, not only their number.
  let isExact: Bool
  var runs: [RenderRun] = []

  /// Nanoseconds of wall time.
  var distribution: Distribution { Distribution(runs.map(\.nanoseconds)) }

  /// Seconds that the sound lasts.
  var length: Double { Double(frameCount) / Double(sampleRate) }

  /// Returns how many times faster than played it is, for a run that takes `nanoseconds`.
  func speed(_ nanoseconds: Int) -> Double { length * 1e9 / Double(nanoseconds) }

  var medianSpeed: Double { speed(distribution.percentile(50)) }
  var nanosecondsPerFrame: Double { Double(distribution.percentile(50)) / Double(frameCount) }

  /// Number of cores that were busy, on average.
  var cores: Double {
    let (busy, wall) = runs.reduce((0, 0)) {
      ($0.0 + $1.processorNanoseconds, $0.1 + $1.nanoseconds)
    }
    return Double(busy) / Double(wall)
  }
}

extension RenderSeries {
  /// None yet.
  init(_ subject: RenderSubject) {
    (name, frameCount) = (subject.name, subject.frameCount)
    (sampleRate, isExact) = (subject.format.sampleRate, subject.sound != nil)
  }
}
