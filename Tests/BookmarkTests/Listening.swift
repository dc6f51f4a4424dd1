// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation

extension OfflineRenderer {
  /// Has so many frames heard; what is not decoded yet is waited for, a minute at most.
  func hear(_ frames: Int) {
    var samples = [Float](repeating: 0, count: 4_800)
    var left = frames
    _ = until {
      left -= samples.withUnsafeMutableBufferPointer {
        render(frames: min(left, 4_800), into: $0.baseAddress!)
      }
      return left == 0
    }
  }
}

/// Looks until something holds that other threads do; a minute at most.
func until(_ holds: () throws -> Bool) rethrows -> Bool {
  let limit = Date(timeIntervalSinceNow: 60)
  while Date() < limit {
    if try holds() { return true }
    Thread.sleep(forTimeInterval: 0.001)
  }
  return false
}
