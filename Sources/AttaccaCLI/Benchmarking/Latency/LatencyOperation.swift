// SPDX-License-Identifier: Apache-2.0

/// A command whose way to the ear is measured.
enum LatencyOperation: String, CaseIterable {
  /// A player is made, and plays: opening the stream and the file included.
  case start
  case seek, next
  /// An item is inserted after the current one, and skipped to.
  case insert
  /// The current item is removed.
  case remove
  case volume
  case pause, resume
  /// From a pause, at a time ahead; what is told is how far from it the start is heard.
  case scheduledStart = "scheduled-start"

  /// All of them, to be read.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// True where silence is heard once it is complete.
  var endsInSilence: Bool { self == .pause }
  /// True where silence is heard before it.
  var beginsInSilence: Bool { [.start, .resume, .scheduledStart].contains(self) }

  /// Milliseconds until the next command at least: what takes longer is told as not heard.
  ///
  /// After a start the second time that the server asks is looked at, too.
  var listening: Int { [.start, .scheduledStart].contains(self) ? 1_500 : 1_000 }

  /// True where the player is paused when it is given.
  var needsPause: Bool { [.resume, .scheduledStart].contains(self) }
}
