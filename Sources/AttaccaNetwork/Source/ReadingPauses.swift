// SPDX-License-Identifier: Apache-2.0

/// Tells pauses of a listener from the rests between reads of who plays on: a pure state machine.
///
/// A player reads about as often as it plays what it has read; at half the speed half as often. What takes longer by a
/// second and a half than the longest of the last rests is a pause.
struct ReadingPauses {
  /// Nanoseconds by which a pause is longer than rests are.
  static let margin: UInt64 = 1_500_000_000
  /// Rests that are remembered.
  private static let remembered = 8

  /// The moment of the last read; nil before the first.
  private var last: UInt64?
  /// Nanoseconds of the last rests, the newest at the end.
  private var rests: [UInt64] = []

  /// Something is read at a moment; tells whether there was a pause before it.
  mutating func read(at now: UInt64) -> Bool {
    defer { last = now }
    guard let last, now > last else { return false }
    let rest = now - last
    guard rest <= (rests.max() ?? 0) + Self.margin else { return true }
    if rests.count == Self.remembered { rests.removeFirst() }
    rests.append(rest)
    return false
  }

  /// Nothing could be read: what follows is no rest of the listener's.
  mutating func waited(at now: UInt64) { last = now }
}
