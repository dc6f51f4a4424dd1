// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime

// Keeps the renderers after the first where that one is: their devices' clocks run differently.
extension RenderSynchronizer {
  /// Seconds of media time between two looks, in which what is off is made good.
  private static let interval = 5

  /// Looks every few seconds while time runs.
  func follow() {
    let interval = Int64(Self.interval * MediaTicks.perSecond)
    let new = observers.addPeriodic(interval: interval, queue: renderersQueue) { [weak self] _ in
      self?.steer()
    }
    semaphore.withLock { following = following ?? new }
  }

  func stopFollowing() {
    let old = semaphore.withLock {
      defer { following = nil }
      return following
    }
    old?.cancel()
  }

  /// Compares the clocks of all with the first one's.
  func steer() {
    let renderers = semaphore.withLock { starts.waiting == nil ? storedRenderers : [] }
    guard let first = renderers.first else { return }
    let now = HostTime.now()
    let leader = first.reading(atHostTime: now)
    guard leader.isRunning else { return }
    let lost = renderers.dropFirst().filter { renderer in
      let reading = renderer.reading(atHostTime: now)
      let off = Double(leader.ticks - reading.ticks) / Double(MediaTicks.perSecond)
      let time = Double(leader.ticks) / Double(MediaTicks.perSecond)
      let isThere = reading.isRunning && abs(off) < Steering.lost * leader.speed
      // Voices of one bus have one clock: nothing of theirs is to be converted for it.
      if isThere, renderer.output.clock === first.output.clock { return false }
      return renderer.steer(
        off: isThere ? off : nil, time: time, interval: Double(Self.interval))
    }
    guard !lost.isEmpty else { return }
    changing.withLock {
      // Someone may have stopped them, or let them go, since.
      let (rate, present) = semaphore.withLock { (storedRate, storedRenderers.dropFirst()) }
      let lost = lost.filter { renderer in present.contains { $0 === renderer } }
      if rate > 0, !lost.isEmpty { join(lost) }
    }
  }
}
