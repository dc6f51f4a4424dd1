// SPDX-License-Identifier: Apache-2.0

/// The renderers of a synchronizer that are to be let go of at a time.
struct Removals {
  private var due: [ObjectIdentifier: Removal] = [:]
  private var last = 0

  /// Has a renderer let go of at a time that is watched for next; `completion` is called once it is.
  ///
  /// - Returns: the number of the removal, and the one whose place it takes.
  mutating func begin(
    _ renderer: ObjectIdentifier, completion: @escaping @Sendable (Bool) -> Void
  ) -> (number: Int, old: Removal?) {
    last += 1
    let removal = Removal(number: last, deadline: nil, completion: completion)
    return (last, due.updateValue(removal, forKey: renderer))
  }

  /// Has `deadline` watch for the time of the removal of `number`.
  ///
  /// - Returns: false, and nothing changed, where that is not due any more.
  mutating func watch(
    _ renderer: ObjectIdentifier, number: Int, _ deadline: TimeObservation
  ) -> Bool {
    guard isDue(renderer, number: number) else { return false }
    due[renderer]?.deadline = deadline
    return true
  }

  /// True where the removal of `number` is the one that is due of a renderer.
  func isDue(_ renderer: ObjectIdentifier, number: Int) -> Bool { due[renderer]?.number == number }

  /// Takes the removal of a renderer, which is let go of now.
  mutating func take(_ renderer: ObjectIdentifier) -> Removal? { due.removeValue(forKey: renderer) }
}
