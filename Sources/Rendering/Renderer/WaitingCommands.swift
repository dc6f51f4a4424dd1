// SPDX-License-Identifier: Apache-2.0

/// Commands that wait until the output has told its position, in order: it is asked once for all of them.
struct WaitingCommands {
  private var commands: [AudioRenderer.Command] = []
  /// The output has been asked, and has not answered.
  private var isAsking = false

  /// Adds a command behind those that wait.
  ///
  /// - Returns: whether the output is to be asked for its position: not where it has been for another one.
  mutating func add(_ command: AudioRenderer.Command) -> Bool {
    commands.append(command)
    guard !isAsking else { return false }
    isAsking = true
    return true
  }

  /// The output has told its position.
  ///
  /// - Returns: what is carried out now; what follows from that is asked for anew.
  mutating func answered() -> [AudioRenderer.Command] {
    isAsking = false
    let due = commands
    commands.removeAll(keepingCapacity: true)
    return due
  }

  /// Nothing will be carried out any more.
  ///
  /// - Returns: what is to be refused.
  mutating func abandon() -> [AudioRenderer.Command] {
    let waiting = commands
    commands.removeAll()
    return waiting
  }
}
