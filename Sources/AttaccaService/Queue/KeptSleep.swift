// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The sleep timer as it is kept: it counts on while no process is there.
struct KeptSleep: Hashable, Sendable {
  /// Place or moment at which playing ends.
  enum End: Hashable, Sendable {
    /// Milliseconds since 1970.
    case moment(Int64)
    case chapter
    case items(Int)
  }

  var end: End
  /// Nanoseconds of the fade before it.
  var fade: Int64

  init(_ end: End, fade: Int64) { (self.end, self.fade) = (end, fade) }

  /// A timer that has so long left, where it ends at a moment, at `now`, in milliseconds since 1970.
  init(_ timer: SleepTimer, left: MediaTime?, at now: Int64) {
    fade = SongPart.nanoseconds(timer.fade) ?? 0
    end =
      switch timer.end {
      case .after: .moment(now + (left.flatMap { SongPart.nanoseconds($0) } ?? 0) / 1_000_000)
      case .chapter: .chapter
      case .items(let count): .items(count)
      }
  }

  /// The timer that has the rest of it, at `now`, in milliseconds since 1970; nil where that is over.
  func timer(at now: Int64) -> SleepTimer? {
    let end: SleepTimer.End
    switch self.end {
    case .moment(let moment):
      let (left, isFar) = moment.subtractingReportingOverflow(now)
      guard left > 0, !isFar else { return nil }
      end = .after(MediaTime(value: left, timescale: 1_000))
    case .chapter: end = .chapter
    case .items(let count): end = .items(count)
    }
    return SleepTimer(end, fade: SongPart.time(fade))
  }

  /// Tells whether it ends where another one does: moments are known to two seconds.
  func isSame(as other: KeptSleep) -> Bool {
    guard case .moment(let mine) = end, case .moment(let its) = other.end else {
      return self == other
    }
    let (apart, isFar) = mine.subtractingReportingOverflow(its)
    return !isFar && apart.magnitude <= 2_000 && fade == other.fade
  }
}
