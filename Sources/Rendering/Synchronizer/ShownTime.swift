// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Media time as it has been shown: the clock does not step back, and a time that is held reads as it was given.
struct ShownTime {
  /// The greatest reading of the present traversal; nil before the first, and for another first renderer.
  private var latest: ClockReading?
  /// The time that was asked for, exactly, while it is what is held.
  private var held: (ticks: Int64, time: MediaTime)?

  /// The exact time that is held, where `reading` says that it still is.
  func heldTime(at reading: ClockReading) -> MediaTime? {
    guard let held, held.ticks == reading.mediaTicks else { return nil }
    return held.time
  }

  /// Media time was set to `time`, and holds there or runs on from it.
  mutating func set(_ time: MediaTime, ticks: Int64, isHeld: Bool) {
    held = isHeld ? (ticks, time) : nil
  }

  /// Another clock is read from now on.
  mutating func forget() { latest = nil }

  /// Takes note of `reading`, and has it be no earlier than what was shown last.
  mutating func show(_ reading: inout ClockReading) {
    if var latest, latest.traversal > reading.traversal,
      latest.traversal <= reading.lastTraversal ?? .min
    {
      // The device's clock was corrected to before a jump that has been shown: whoever was told of another
      // item must not read a time of the one before.
      latest.changesAt = reading.changesAt
      latest.lastTraversal = reading.lastTraversal
      reading = latest
      return
    }
    if let latest, latest.traversal == reading.traversal {
      reading.ticks = max(reading.ticks, latest.ticks)
    }
    latest = reading
    // What is beyond the end was never shown.
    if let end = reading.end { latest?.ticks = min(reading.ticks, end) }
  }
}
