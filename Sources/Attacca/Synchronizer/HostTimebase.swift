// SPDX-License-Identifier: Apache-2.0

/// Media time driven by the host's clock: a synchronizer without a renderer has no other.
struct HostTimebase {
  private var anchorTicks: Int64 = 0
  private var anchorHostTime: UInt64 = 0
  private(set) var isRunning = false
  private(set) var traversal = 0
  private(set) var traversalStart: Int64 = 0

  func ticks(atHostTime now: UInt64) -> Int64 {
    guard isRunning, now > anchorHostTime else { return anchorTicks }
    let passed = UInt128(now - anchorHostTime) * UInt128(MediaTicks.perSecond)
    return anchorTicks + Int64(passed / 1_000_000_000)
  }

  func hostTime(ofTicks ticks: Int64) -> UInt64? {
    guard isRunning else { return nil }
    let distance = Int128(ticks - anchorTicks) * 1_000_000_000 / Int128(MediaTicks.perSecond)
    return UInt64(clamping: Int128(anchorHostTime) + distance)
  }

  mutating func set(isRunning: Bool, ticks: Int64?, at now: UInt64) {
    if let ticks {
      traversal += 1
      traversalStart = ticks
    }
    anchorTicks = ticks ?? self.ticks(atHostTime: now)
    anchorHostTime = now
    self.isRunning = isRunning
  }
}
