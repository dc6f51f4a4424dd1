// SPDX-License-Identifier: Apache-2.0

/// Settings of a service: its folders, its addresses, and who may do what.
public struct DaemonSettings: Hashable, Sendable {
  /// The music folder; nil for none.
  public var musicFolder: String?
  /// The folder of saved lists.
  public var playlistFolder: String
  /// The folder of what is kept: the index and the state; it has to be there.
  public var stateFolder: String
  /// Addresses to listen at.
  public var addresses: [SocketAddress] = []
  /// Passwords with names of permissions: read, add, control, player, admin.
  public var passwords: [String: [String]] = [:]
  /// Names of what is permitted by a network without a password; nil for all where there is no password, and nothing
  /// where there is.
  public var unasked: [String]?

  /// Settings with folders.
  public init(musicFolder: String?, playlistFolder: String, stateFolder: String) {
    (self.musicFolder, self.playlistFolder) = (musicFolder, playlistFolder)
    self.stateFolder = stateFolder
  }

  /// Tells why settings cannot be: another machine could come without a password, or a permission is none; nil where
  /// they can.
  public var complaint: String? {
    for name in (passwords.values.flatMap { $0 } + (unasked ?? []))
    where Permissions(names: name) == nil {
      return "'\(name)' is no permission; they are read, add, control, player and admin"
    }
    if passwords.isEmpty, let open = addresses.first(where: { !$0.isOwn }) {
      return "\(open) is open to other machines, which takes a password"
    }
    return nil
  }

  var access: AccessRules {
    func permissions(_ names: [String]) -> Permissions {
      Permissions(names: names.joined(separator: ",")) ?? []
    }
    return AccessRules(
      passwords: passwords.mapValues(permissions), unasked: unasked.map(permissions))
  }
}
