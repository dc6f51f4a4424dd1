// SPDX-License-Identifier: Apache-2.0

/// Time observers, and those that are due: a pure state machine over ticks of the timeline.
///
/// A *traversal* is a stretch of the timeline that is heard without a jump or a turn. A boundary
/// fires once in each traversal that crosses it; it is a tick of media time, which is the negative
/// one of the timeline where that is heard backwards. Boundaries are kept sorted, so that ten thousand of them cost
/// no more than the next one.
struct ObserverSchedule {
  typealias ID = Int

  private struct Boundary {
    var frame: Int64
    var id: ID
  }

  private struct Periodic {
    var interval: Int64
    var next: Int64
  }

  private struct Deadline {
    var frame: Int64
    var traversal: Int
  }

  private var boundaries: [Boundary] = []
  private var periodics: [ID: Periodic] = [:]
  /// "At or after": fire once, as soon as media time is not below.
  private var deadlines: [ID: Deadline] = [:]
  /// The last frame that boundaries have been looked at for; nil before the first traversal.
  private var seen: Int64?
  /// The present traversal goes backwards.
  private var isReversed = false

  var isEmpty: Bool { boundaries.isEmpty && periodics.isEmpty && deadlines.isEmpty }

  mutating func addBoundaries(_ frames: [Int64], id: ID) {
    guard frames.count > 8 else {
      // A newer observer's comes behind the older ones' of the same frame.
      for frame in frames {
        boundaries.insert(Boundary(frame: frame, id: id), at: firstBoundary(after: frame))
      }
      return
    }
    boundaries.append(contentsOf: frames.map { Boundary(frame: $0, id: id) })
    boundaries.sort { ($0.frame, $0.id) < ($1.frame, $1.id) }
  }

  /// Adds boundaries that were asked for where media time was at frame `asked` of this traversal, and has run on since.
  ///
  /// - Returns: those that it has crossed meanwhile, in the order of their times, and the media time that they are told.
  mutating func addBoundaries(
    _ frames: [Int64], id: ID, since asked: Int64
  ) -> [(id: ID, told: Int64)] {
    addBoundaries(frames, id: id)
    guard let seen, asked < seen else { return [] }
    let crossed = frames.filter { [isReversed] frame in
      (asked + 1...seen).contains(isReversed ? -frame : frame)
    }.sorted()
    return (isReversed ? crossed.reversed() : crossed).map { (id, $0) }
  }

  mutating func addPeriodic(interval: Int64, id: ID, now: Int64) {
    periodics[id] = Periodic(interval: interval, next: now)
  }

  /// Fires once, as soon as media time is at or after `frame` in `traversal`, or in a later one.
  mutating func addDeadline(_ frame: Int64, traversal: Int, id: ID) {
    deadlines[id] = Deadline(frame: frame, traversal: traversal)
  }

  mutating func remove(id: ID) {
    boundaries.removeAll { $0.id == id }
    periodics[id] = nil
    deadlines[id] = nil
  }

  /// Media time has jumped to `frame`, or turned, started or stopped there.
  ///
  /// - Returns: the periodic observers, which are all told.
  mutating func jumped(to frame: Int64, isReversed: Bool = false) -> [ID] {
    (seen, self.isReversed) = (frame, isReversed)
    for id in periodics.keys { periodics[id]!.next = frame + periodics[id]!.interval }
    return periodics.keys.sorted()
  }

  /// Media time has run to `frame` without a jump.
  ///
  /// - Returns: who is due, in the order of their times, and the media time that they are told: a
  ///   boundary itself, others `frame`.
  mutating func ran(to frame: Int64, traversal: Int) -> [(id: ID, told: Int64)] {
    var due: [(time: Int64, id: ID, told: Int64)] = []
    let now = isReversed ? -frame : frame
    if let seen, frame > seen {
      let crossed =
        isReversed
        ? firstBoundary(after: -frame - 1)..<firstBoundary(after: -seen - 1)
        : firstBoundary(after: seen)..<firstBoundary(after: frame)
      for boundary in boundaries[crossed] {
        let place = isReversed ? -boundary.frame : boundary.frame
        due.append((place, boundary.id, boundary.frame))
      }
    }
    seen = max(seen ?? frame, frame)
    for (id, periodic) in periodics where periodic.next <= frame {
      due.append((periodic.next, id, now))
      let missed = (frame - periodic.next) / periodic.interval
      periodics[id]!.next += (missed + 1) * periodic.interval
    }
    for (id, deadline) in deadlines {
      let isReached = deadline.traversal == traversal && deadline.frame <= frame
      guard isReached || deadline.traversal < traversal else { continue }
      due.append((min(deadline.frame, frame), id, now))
      deadlines[id] = nil
    }
    return due.sorted { ($0.time, $0.id) < ($1.time, $1.id) }.map { ($0.id, $0.told) }
  }

  /// The next frame of the timeline at which someone is due if media time runs on.
  func nextDue(in traversal: Int) -> Int64? {
    var next = periodics.values.map(\.next).min()
    if let seen, isReversed {
      let i = firstBoundary(after: -seen - 1) - 1
      if i >= 0 { next = min(next ?? .max, -boundaries[i].frame) }
    } else if let seen {
      let i = firstBoundary(after: seen)
      if i < boundaries.count { next = min(next ?? .max, boundaries[i].frame) }
    }
    for deadline in deadlines.values where deadline.traversal <= traversal {
      next = min(next ?? .max, deadline.frame)
    }
    return next
  }

  private func firstBoundary(after frame: Int64) -> Int {
    var (low, high) = (0, boundaries.count)
    while low < high {
      let middle = (low + high) / 2
      if boundaries[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
