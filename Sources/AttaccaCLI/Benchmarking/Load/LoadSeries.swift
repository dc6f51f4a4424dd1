// SPDX-License-Identifier: Apache-2.0

/// The cost of playing at one latency.
struct LoadSeries {
  let latency: LatencyChoice
  /// One after the other, once playing had become steady.
  let seconds: [LoadSecond]
  /// CPU nanoseconds until then: the start of the process, and the first fill.
  let startProcessor: Int
  /// CPU nanoseconds of the whole process.
  let user: Int
  let system: Int
  /// Bytes that were resident at most.
  let peakMemory: Int

  /// CPU nanoseconds of each second.
  var distribution: Distribution { Distribution(seconds.map(\.processor)) }

  /// CPU microseconds that a second of sound takes.
  var microsecondsPerSecond: Double {
    Double(seconds.reduce(0) { $0 + $1.processor }) / 1e3 / Double(seconds.count)
  }

  /// Per cent of one core.
  var percent: Double { microsecondsPerSecond / 1e4 }

  /// The part of the whole process's CPU time that the kernel had, per cent.
  var systemPercent: Double { 100 * Double(system) / Double(max(1, user + system)) }

  /// Returns how often threads of a role wake in a second.
  func wakeups(_ role: ThreadRole) -> Double {
    Double(seconds.reduce(0) { $0 + ($1.wakeups[role] ?? 0) }) / Double(seconds.count)
  }

  var wakeups: Double { ThreadRole.allCases.reduce(0) { $0 + wakeups($1) } }
}
