// SPDX-License-Identifier: Apache-2.0

/// Who may do what: passwords, and what is permitted without one.
struct AccessRules: Hashable, Sendable {
  /// Permissions by password.
  var passwords: [String: Permissions] = [:]
  /// Permissions of clients that come by a network, without a password; nil for all where there is none to give, and
  /// nothing where there is.
  var unasked: Permissions?

  /// Permissions of a client that has just come; of the Unix socket, which its owner alone can open, all.
  func permissions(isLocal: Bool) -> Permissions {
    if isLocal { return .all }
    return unasked ?? (passwords.isEmpty ? .all : [])
  }
}
