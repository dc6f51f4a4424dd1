// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Gain of some voices of a bus while another one sounds, as a function of the stream frame.
struct BusDucking: ~Copyable {
  /// Voice that ducks others, by how much, and how fast.
  struct Rule {
    /// Lane of the voice that has the others go down; nil once there is none.
    var trigger: Int?
    /// Gain while it sounds.
    var gain: Float = 1
    /// Time in which they go down, from the first frame that it is heard with.
    var attack = RationalTime.zero
    /// Time in which they come back, from the frame behind its last one.
    var release = RationalTime.zero
  }

  /// Duckings of a bus at a time: a bit each in a word.
  static let limit = 64

  var rule: Rule
  var gain = GainMap(gain: 1)

  /// A ducking by `rule`, whose voice does not sound yet.
  init(_ rule: Rule) { self.rule = rule }
}
