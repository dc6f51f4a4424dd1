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

  /// What clients may take, at most.
  public var limits = Limits()

  /// What clients may take, at most.
  public struct Limits: Hashable, Sendable {
    /// Connections at a time, as MPD's `max_connections`.
    public var connections = 100
    /// Seconds that a client may send no command for unless it waits in `idle`, as MPD's `connection_timeout`; 0 for any
    /// number.
    public var silence = 60
    /// Bytes that wait for a client: one that reads none of them is left, as with MPD's `max_output_buffer_size`.
    public var outputBytes = 8_192 * 1_024

    /// The limits of MPD where it is not told others.
    public init() {}
  }

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
