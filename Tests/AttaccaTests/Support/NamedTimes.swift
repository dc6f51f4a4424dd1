// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering

/// What a bare renderer has been given, in which each frame bears the media time that it is to be heard
/// at: one more than its seconds, as silence bears none.
///
/// A straight line, which converting to another rate leaves as it is but next to its ends.
struct NamedTimes {
  /// What is to be heard at a time.
  enum Content {
    case sound
    case silence
    /// A beginning or an end is so near that a filter rings.
    case edge
    /// It was passed before, and may have been forgotten: sound, or silence.
    case passed
  }

  private struct Edge {
    let time: RationalTime
    /// Of what meets there, the lower one.
    let rate: Int
  }

  private var stretches: [(begin: RationalTime, end: RationalTime)] = []
  private var edges: [Edge] = []
  /// Where buffers end: those before may be forgotten once they have been heard.
  private var ends: [Edge] = []
  /// Where something ended that was said to be the end.
  private var finished: [RationalTime] = []
  /// Where what was enqueued last ends: what comes before that is not heard.
  private(set) var end: RationalTime?
  private var lastRate = 48_000
  /// Seconds of media time before which everything has been heard, or passed over.
  private(set) var passed = 0.0
  /// Frames of a filter on either side of an edge, at the lower of the rates.
  private static let ringing = 600.0

  /// The seconds of media time at which the last sound ends.
  var lastSound: Double? { stretches.last?.end.seconds }

  static func name(_ seconds: Double) -> Float { Float(1 + seconds) }

  /// What has sound, for messages.
  var description: String {
    stretches.map { "\($0.begin.seconds)..<\($0.end.seconds)" }.joined(separator: ", ")
  }

  /// Frames from `begin` to `end` are added, made at `rate`.
  mutating func enqueue(from begin: RationalTime, to end: RationalTime, rate: Int) {
    if let last = self.end {
      if begin != last || rate != lastRate { addEdge(at: last, rate) }
    }
    if begin != self.end || rate != lastRate {
      // A run of a filter begins there, whatever is heard of it.
      addEdge(at: begin, rate)
    }
    lastRate = rate
    let start = max(begin, self.end ?? begin)
    guard start < end else { return }
    ends.append(Edge(time: end, rate: rate))
    if let last = stretches.last, last.end == start {
      stretches[stretches.count - 1].end = end
    } else {
      stretches.append((start, end))
    }
    self.end = end
  }

  private mutating func addEdge(at time: RationalTime, _ rate: Int) {
    edges.append(Edge(time: time, rate: min(rate, lastRate)))
  }

  /// Nothing follows what was enqueued, or silence before what does.
  mutating func finish() {
    guard let end else { return }
    addEdge(at: end, lastRate)
    finished.append(end)
  }

  /// What was enqueued is forgotten, while the playhead is at `seconds`.
  mutating func flush(at seconds: Double) {
    (stretches, edges, ends, end, passed) = ([], [], [], nil, seconds)
  }

  /// What is heard from `time` on is forgotten.
  mutating func cut(from time: RationalTime) {
    guard let end, time < end else { return }
    lastRate = ends.first { $0.time >= time }?.rate ?? lastRate
    stretches = stretches.filter { $0.begin < time }.map { ($0.begin, min($0.end, time)) }
    edges.removeAll { $0.time > time }
    ends.removeAll { $0.time > time }
    addEdge(at: time, lastRate)
    self.end = time
  }

  /// What is converted begins anew at `seconds`, or where a buffer ends of those before that were heard and
  /// forgotten.
  mutating func restart(at seconds: Double) {
    let time = RationalTime(frames: Int64(seconds * 1e6), rate: 1_000_000)
    edges.append(Edge(time: time, rate: 8_000))
    edges += ends.filter { $0.time.seconds < passed }
    ends.removeAll { $0.time.seconds < passed }
  }

  /// Where the converted frames begin that are heard at `seconds`, if they are made from `begin` on.
  func beginOfRun(at seconds: Double, from begin: Double) -> Double {
    let begins = stretches.map(\.begin.seconds) + finished.map(\.seconds)
    return begins.filter { $0 <= seconds }.reduce(begin, max)
  }

  /// The playhead has been at `seconds`.
  mutating func pass(_ seconds: Double) { passed = max(passed, seconds) }

  /// What is heard at `seconds`, in frames of `rate`, and up to when it is the same.
  func content(at seconds: Double, rate: Int) -> (Content, until: Double) {
    // Half a frame of rounding, and another.
    let frame = 1 / Double(rate)
    var until = Double.infinity
    func isIn(_ begin: Double, _ end: Double) -> Bool {
      for bound in [begin, end] where bound > seconds { until = min(until, bound) }
      return begin <= seconds && seconds < end
    }
    // The end of what was enqueued rings until more is.
    let last = end.map { [Edge(time: $0, rate: lastRate)] } ?? []
    var isEdge = false
    for edge in edges + last {
      let ringing = Self.ringing / Double(min(edge.rate, rate)) + frame
      if isIn(edge.time.seconds - ringing, edge.time.seconds + ringing) { isEdge = true }
    }
    var isSound = false
    for stretch in stretches where isIn(stretch.begin.seconds, stretch.end.seconds) {
      isSound = true
    }
    let isPassed = isIn(-.infinity, passed)
    return (isEdge ? .edge : isPassed ? .passed : isSound ? .sound : .silence, until)
  }

  // MARK: Two speeds at once

  /// How far another speed may be ahead where it has gone out: 5 ms of four times as much media time.
  private static let ahead = 0.02

  /// Whether a sample in silence may go out of what another speed has reached by then.
  func isAhead(_ sample: Float, at seconds: Double, rate: Int) -> Bool {
    let other = seconds + Self.ahead
    return content(at: other, rate: rate).0 != .silence && sample >= 0
      && sample <= Self.name(other) * 1.01
  }

  /// Whether a sample in sound may go out of what a speed of `rate` frames has reached by then, where that rings or
  /// is over.
  func isBlended(_ sample: Float, at seconds: Double, with rate: Int) -> Bool {
    let (there, until) = content(at: seconds, rate: rate)
    let name = Self.name(seconds)
    return (there != .sound || until < seconds + Self.ahead) && sample >= -0.3 * name
      && sample <= 1.3 * name
  }
}

extension RationalTime {
  var seconds: Double { Double(numerator) / Double(denominator) }
}
