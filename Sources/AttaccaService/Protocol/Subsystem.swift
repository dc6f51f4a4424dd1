// SPDX-License-Identifier: Apache-2.0

/// Parts of the service whose changes `idle` tells, by their names in the protocol.
enum Subsystem: String, CaseIterable, Sendable {
  case database, storedPlaylist = "stored_playlist", playlist, player, mixer, output, options
  case sticker, update, subscription, message, neighbor, mount, partition

  /// The parts that names mean.
  ///
  /// - Throws: For a name that is none.
  static func named(_ names: some Sequence<String>) throws(CommandError) -> Set<Subsystem> {
    var result: Set<Subsystem> = []
    for name in names {
      guard let known = Subsystem(rawValue: name.lowercased()) else {
        throw CommandError(.argument, "Unrecognized idle event: \(name)")
      }
      result.insert(known)
    }
    return result
  }
}
