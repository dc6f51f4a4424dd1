// SPDX-License-Identifier: Apache-2.0

import Foundation

extension SplitMix64 {
  /// Seeds in `SEEDS`, as `SEEDS=18,4711`, for a test to be repeated with; nil where none are given.
  public static var givenSeeds: [UInt64]? {
    ProcessInfo.processInfo.environment["SEEDS"]?.split(separator: ",").compactMap { UInt64($0) }
  }
}
