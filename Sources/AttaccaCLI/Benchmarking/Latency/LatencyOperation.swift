// SPDX-License-Identifier: Apache-2.0

/// A command whose way to the ear is measured.
enum LatencyOperation: String, CaseIterable {
  case seek, next
  case insertNext = "insert, next"
  case removeCurrent = "remove current"
  case pause, resume
  /// From a pause, at a time ahead; what is told is how far from it the start is heard.
  case scheduledStart = "scheduled start"
  case wake = "wake the sink"

  /// Those that are measured on a sink that is awake, in the order in which they are tried.
  static let awake: [LatencyOperation] = [
    .seek, .next, .insertNext, .removeCurrent, .pause, .resume, .scheduledStart,
  ]

  /// Those that a recorder of large chunks can tell: it gives frames away long before their time.
  static let coarse = awake.filter { $0 != .scheduledStart }

  /// Those that are measured where the sink sleeps between them.
  static let sleeping: [LatencyOperation] = [.pause, .wake]

  /// A scheduled start takes most of a second, and is measured in every fourth round only.
  func isDue(inRound round: Int) -> Bool { self != .scheduledStart || round.isMultiple(of: 4) }

  /// Whether it is silence that the command asks for.
  var endsInSilence: Bool { self == .pause }
  /// Whether silence is heard before it.
  var beginsInSilence: Bool { [.resume, .scheduledStart, .wake].contains(self) }
}
