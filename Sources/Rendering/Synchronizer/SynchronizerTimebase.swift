// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// A synchronizer's time: what is heard, driven by the device's clock.
final class SynchronizerTimebase: ReadOnlyTimebase, @unchecked Sendable {
  // @unchecked: `last` is touched only between wait and signal of the superclass's semaphore, and
  // before anyone else has this.
  private weak let synchronizer: RenderSynchronizer?
  /// The last reading; what it holds at once the synchronizer is gone.
  private var last: TimebaseReading

  init(_ synchronizer: RenderSynchronizer) {
    self.synchronizer = synchronizer
    last = TimebaseReading(time: 0, rate: 0, effectiveRate: 0, jumps: 0)
    super.init()
    last = reading(atHostTime: HostTime.now())
  }

  override func reading(atHostTime now: UInt64) -> TimebaseReading {
    guard let clock = synchronizer?.reading() else {
      return semaphore.withLock {
        TimebaseReading(time: last.time, rate: 0, effectiveRate: 0, jumps: last.jumps)
      }
    }
    return TimebaseReading(
      time: TimeUnits.units(ofTicks: clock.mediaTicks), rate: clock.rate, effectiveRate: clock.rate,
      jumps: clock.traversal, changesAt: clock.changesAt)
  }

  override func hostTime(ofTime time: Int128) -> UInt64? {
    guard let synchronizer else { return nil }
    // The first tick at or after it, in the direction of playing.
    let onLine = synchronizer.reading().isReversed ? -time : time
    return synchronizer.hostTime(ofTicks: -TimeUnits.floor(-onLine, by: TimeUnits.perTick))
  }

  /// The sound that is heard may be something else than it was.
  override func sourceChanged() { telling.withLock { tell() } }

  private func tell() {
    let new = reading(atHostTime: HostTime.now())
    let old = semaphore.withLock {
      defer { last = new }
      return last
    }
    tellChange(from: old, to: new)
  }
}
