// SPDX-License-Identifier: Apache-2.0

/// A command of the protocol: who may give it, with how many arguments, and what it does.
struct ServedCommand: Sendable {
  typealias Body =
    @Sendable (MusicServer, ServedClient, CommandArguments, inout Reply) throws(CommandError) ->
    Void

  let name: String
  let permissions: Permissions
  /// Numbers of arguments that it takes.
  let counts: ClosedRange<Int>
  let body: Body

  init(
    _ name: String, _ permissions: Permissions, _ counts: ClosedRange<Int>, _ body: @escaping Body
  ) {
    (self.name, self.permissions, self.counts, self.body) = (name, permissions, counts, body)
  }

  init(_ name: String, _ permissions: Permissions, _ count: Int, _ body: @escaping Body) {
    self.init(name, permissions, count...count, body)
  }

  init(
    _ name: String, _ permissions: Permissions, _ counts: PartialRangeFrom<Int>,
    _ body: @escaping Body
  ) {
    self.init(name, permissions, counts.lowerBound...Int.max, body)
  }

  /// Refuses a client that may not give it, and arguments that are too few or too many.
  func check(_ arguments: CommandArguments, _ permissions: Permissions) throws(CommandError) {
    guard permissions.isSuperset(of: self.permissions) else {
      throw CommandError(.permission, "you don't have permission for \"\(name)\"")
    }
    guard !counts.contains(arguments.count) else { return }
    let wrong =
      counts.lowerBound == counts.upperBound
      ? "wrong number of" : arguments.count < counts.lowerBound ? "too few" : "too many"
    throw CommandError(.argument, "\(wrong) arguments for \"\(name)\"")
  }
}
