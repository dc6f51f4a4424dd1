// SPDX-License-Identifier: Apache-2.0

import Foundation
import PulseAudio

/// Says which turns in what is heard are legal, by what has been done.
///
/// A turn must have a cause shortly before it; it must be a fade, where nothing but a command is the cause;
/// and what is heard from then on must be what was asked for: an item's beginning, the place of a seek, or
/// what would have been next.
struct ChaosJudge {
  /// Nanoseconds until what was done is heard: a start over a server that is 400 ms away is heard within
  /// it, and what waits longer for a disk is told.
  private static let timeout: UInt64 = 2_500_000_000
  /// Nanoseconds by which the recorder may be early.
  private static let leeway: UInt64 = 300_000_000
  /// Nanoseconds until what explains a turn has been told.
  private static let delay: UInt64 = 500_000_000
  /// Nanoseconds until what was passed over is heard behind it, where the server is 400 ms away: until it has told of
  /// that, been stopped, and answered three times.
  private static let longestDelay: UInt64 = 3_000_000_000
  /// Frames by which a late splice may begin later, beyond its fade.
  private static let reach = 48_000 / 20
  /// Frames of the longest fade in, which names none of them.
  private static let longestFade = 48_000 * 3 / 10
  /// Frames that are heard twice at most where the stream is lost: those since the last report, which is
  /// 0.5 s old and was 0.2 s under way, on a machine that is busy.
  private static let repeated = 48_000 * 3 / 2
  /// Frames that are heard out of their turn at most, or twice, where some were given too late: half a second, as long as
  /// it is until what was to be heard is written again.
  private static let givenLate = 48_000 / 2
  /// Frames that are heard twice at most where another stream goes on: PipeWire tells some cycles late
  /// what it has played.
  private static let rerouted = 48_000 / 10
  /// Frames that only a stream has before the pause of an interruption, where its server is far away: the pause takes
  /// place up to three answers of 400 ms behind what is heard, and the stream may be lost before that is.
  private static let onItsWay = 3 * 48_000 * 4 / 10
  /// Frames that a monitor has and its recorder does not get when the sink or the server goes: two fragments.
  private static let unheard = 2 * 48_000 / 25

  /// What would be heard next, when the last frame before it was, and where.
  private struct Past {
    let next: NamedFrame
    let hostTime: UInt64
    let sink: String
  }

  /// A turn, and what was heard before it.
  private struct Case {
    let turn: Turn
    let sink: String
    let begin: UInt64
    let end: UInt64
    let past: Past?
    /// Frames without a name before the silence that it ends: what began among them has gone on by as many.
    let hidden: Int
  }

  private let log: ChaosLog
  private let items: NamedItems
  private var past: Past?
  /// Frames between the sounds of each sink's last turn.
  private var faded: [String: Int] = [:]
  /// Turns that have not been looked at.
  private var open: [Case] = []

  init(_ log: ChaosLog, _ items: NamedItems) { (self.log, self.items) = (log, items) }

  /// Notes what has been heard in order until a host time.
  mutating func heard(_ history: LegalHistory, on sink: String, at hostTime: UInt64) {
    guard let place = history.last else { return }
    let next = NamedFrame(item: place.item, frame: place.frame + 1)
    past = Past(next: next, hostTime: hostTime, sink: sink)
  }

  /// Takes a turn on a sink, which began and ended at host times.
  mutating func take(_ turn: Turn, on sink: String, from begin: UInt64, to end: UInt64) {
    if case .frame(let place) = turn.expected {
      past = Past(next: place, hostTime: begin, sink: sink)
    }
    let hidden = turn.expected == .silence ? faded[sink] ?? 0 : 0
    faded[sink] = turn.faded
    open.append(
      Case(turn: turn, sink: sink, begin: begin, end: end, past: past, hidden: hidden))
  }

  /// Says what is wrong with the turns that ended so long before `now` that all is told that explains
  /// them.
  mutating func complaints(at now: UInt64) -> [String] {
    var complaints: [String] = []
    while let first = open.first, now > first.end + Self.delay {
      let complaint = complaint(about: first)
      let next = complaint == nil ? nil : passedOver(by: first)
      let again = open.dropFirst().first { $0.turn.heard != .silence }
      if next != nil, again == nil, now <= first.end + Self.longestDelay { break }
      open.removeFirst()
      guard let complaint, !goesBack(to: next, again?.turn.heard),
        !isDropped(next, behind: first, before: again)
      else { continue }
      let age = ((Double(now) - Double(first.begin)) / 1e9).short
      // Whether what was passed over is heard after all.
      let then = open.prefix(3).map { "; then on \($0.sink) \($0.turn)" }.joined()
      complaints.append("on \(first.sink), \(age) s ago, \(first.turn): \(complaint)\(then)")
    }
    return complaints
  }

  /// The first frame that a turn passes over as a server may that was stopped: it answers before it makes up for that,
  /// and goes past what the answer has made the player write, which is heard from there until it is stopped.
  private func passedOver(by passing: Case) -> NamedFrame? {
    guard let next = passing.past?.next, case .frame(let place) = passing.turn.heard else {
      return nil
    }
    let causes = log.causes((passing.begin - Self.timeout)...(passing.begin + Self.leeway))
    let stopped = causes.map { if case .stop(let frames) = $0 { frames } else { 0 } }.max() ?? 0
    let longest = max(stopped, causes.contains(.underrun) ? Self.givenLate : 0)
    return place.item == next.item && (next.frame...next.frame + longest).contains(place.frame)
      ? next : nil
  }

  /// Whether what was passed over from frame `next` on is heard behind that.
  private func goesBack(to next: NamedFrame?, _ heard: Turn.Sound?) -> Bool {
    guard let next, case .frame(let again)? = heard else { return false }
    return again.item == next.item && again.frame <= next.frame + Self.unheard
  }

  /// Whether something else was asked for before what was passed over, from frame `next` on, was heard again.
  private func isDropped(_ next: NamedFrame?, behind passing: Case, before again: Case?) -> Bool {
    let end = min(again?.begin ?? .max, passing.end + Self.longestDelay)
    guard next != nil, end >= passing.end else { return false }
    return log.causes(passing.end...end).contains {
      if case .seek = $0 { true } else { $0 == .item }
    }
  }

  private func complaint(about open: Case) -> String? {
    let turn = open.turn
    // A recording has begun: how what is heard came about is not known.
    if turn.expected == .nothing {
      guard case .frame(let place) = turn.heard else { return nil }
      return landing(at: place, open)
    }
    let causes = log.causes((open.begin - Self.timeout)...(open.begin + Self.leeway))
      .filter { $0 != .nothing }
    guard !causes.isEmpty else { return "nothing explains it" }
    let late = causes.late
    // What came too late begins behind its fade.
    let isFaulty =
      late > 0 || causes.contains { $0.isFault || $0 == .deafness || $0 == .oddity }
    // Fades may overlap where two things were done.
    if !turn.isFade, turn.faded > 0 || turn.heard == .unnamed, !isFaulty, causes.count < 2 {
      return "no fade leads there"
    }
    guard case .frame(let place) = turn.heard else { return nil }
    if turn.faded == 0, case .frame = turn.expected, place.frame > 0, !isFaulty,
      !causes.contains(.route)
    {
      return "there is no fade"
    }
    return landing(at: place, open)
  }

  private func landing(at place: NamedFrame, _ open: Case) -> String? {
    let (turn, past, end) = (open.turn, open.past, open.end)
    let since = min(past?.hostTime ?? 0, end)
    let causes = log.causes((since - min(since, Self.timeout))...(end + Self.leeway))
    if causes.contains(.oddity) { return nil }
    let isFaulty = causes.contains { $0.isFault || $0 == .deafness }
    let late = causes.late
    // What came too late begins later by as much as was told: of an item 6,144 frames were, and were missing. What is
    // far away may come too late by as much.
    let slack = turn.faded + open.hidden + Self.reach + late + (isFaulty ? 48_000 / 2 : 0)
    // What has begun elsewhere may still be fading in, and have had no name there.
    let begun = slack + (causes.contains(.route) ? Self.longestFade : 0)
    if place.frame <= begun, causes.contains(.item) || isFaulty { return nil }
    let passed = Int((Double(end) - Double(since)) / 1e9 * 48_000)
    // What was asked for while nobody listened has gone on since.
    let unheard = causes.contains(.deafness) ? passed : 0
    for case .seek(let frames) in causes
    where (frames.lowerBound...frames.upperBound + begun + unheard).contains(place.frame) {
      return nil
    }
    for case .start(let frame, let due) in causes where end > due {
      // A server that was stopped for two seconds begins where the time is by then.
      let passed = Int((Double(end) - Double(due)) / 1e9 * 48_000)
      let off = Double(place.frame - frame - passed)
        .remainder(dividingBy: Double(items.length(of: place.item)))
      // A recorder has what was heard later, never before: 53 ms on a PipeWire that nothing else troubles.
      if (-Double(slack + Self.unheard)...Double(slack)).contains(off) { return nil }
    }
    guard let past else { return nil }
    // It was near a joint.
    if place.frame <= slack, past.next.frame + slack >= items.length(of: past.next.item) {
      return nil
    }
    // Nobody is told what was played at once behind a stop, where the stream is lost then.
    let stopped = causes.map { if case .stop(let frames) = $0 { frames } else { 0 } }.max() ?? 0
    let repeated = Self.repeated + (causes.contains(.loss) ? stopped : 0)
    // A fade's first frame is as loud as without it, and where what was to follow is held.
    let elsewhere = open.sink == past.sink ? 1 : Self.unheard
    var first = past.next.frame - elsewhere - late
    var last = past.next.frame + turn.faded + elsewhere
    // Of a start that came too late nobody hears the first frames: 605 were missing, and 606 told as late.
    if turn.expected == .silence { last += late }
    last += causes.missed
    if isFaulty { (first, last) = (first - repeated, last + Self.unheard) }
    if causes.contains(.underrun) { first -= Self.givenLate }
    if causes.contains(.distance), causes.contains(.loss), causes.contains(.interruption) {
      last += Self.onItsWay
    }
    if causes.contains(.route) {
      first -= Self.rerouted
      // What was to be done when the stream was stopped is done a block later than it was; and what has begun
      // elsewhere is still fading in.
      if causes.contains(where: { ![.nothing, .route].contains($0) }) {
        last += Self.reach + Self.longestFade
      }
    }
    if causes.contains(.deafness) {
      // Items may have ended meanwhile.
      if place.frame <= passed + slack { return nil }
      // A server that was stopped plays at once what has passed: of 1.21 s, 1.17 were when nobody listened any more.
      last += passed + stopped
    }
    // What is heard again may be the end of the item before.
    let before = items.length(of: place.item) - place.frame
    let again = isFaulty ? repeated : causes.contains(.route) ? Self.rerouted : 0
    if past.next.frame + before <= again { return nil }
    guard place.item == past.next.item, first <= place.frame, place.frame <= last else {
      return """
        nobody asked for that; \(past.next) was next on \(past.sink) \
        \((Double(passed) / 48).rounded()) ms before, then \(open.hidden) frames without a name
        """
    }
    return nil
  }
}
