// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The processor time of one step, which other work on the machine does not lengthen.
enum StepTime {
  /// A player gives up on a step after 5 s; inputs of a few kB are to stay far from that.
  static let limit = 2.0

  /// Carries out `step`.
  ///
  /// - Throws: what it throws, or a `Finding` where it took too long.
  static func bounded<R>(_ name: String, _ step: () throws -> R) throws -> R {
    let start = now()
    let result = Result { try step() }
    let seconds = now() - start
    try Finding.unless(seconds < limit, "\(name) took \(seconds) s")
    return try result.get()
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
