// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// Options of the requests to a server: what it is told, and how long it is waited for.
///
/// Proxies are those of the environment (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`); certificates are
/// verified by the system's unless `authorityFile` names others.
public struct HTTPOptions: Hashable, Sendable {
  /// Proofs of who the caller is.
  public enum Authorization: Hashable, Sendable {
    /// A name and a password (RFC 7617).
    case basic(user: String, password: String)
    /// A token (RFC 6750).
    case bearer(String)
  }

  /// One field of a request.
  public struct Header: Hashable, Sendable {
    /// The field's name, as "X-Api-Key".
    public let name: String
    /// The field's value.
    public let value: String

    /// A field.
    ///
    /// - Precondition: neither has an end of line in it, and the name has no colon.
    public init(_ name: String, _ value: String) {
      require(
        !name.isEmpty && !(name + value).contains(where: \.isNewline) && !name.contains(":"),
        "a header field ‘\(name)’ with an end of line or a colon")
      (self.name, self.value) = (name, value)
    }
  }

  /// Fields that are sent besides; to every host that a server refers to.
  public var headers: [Header] = []
  /// Value of the `Cookie` field, as "session=1; user=2"; it goes to the first host alone.
  public var cookies: String?
  /// Proof for the first host; that in the address by default.
  public var authorization: Authorization?
  /// A file of certificates in PEM, whose owners vouch for servers in the place of those that the system knows.
  public var authorityFile: String?
  /// Milliseconds for connecting, 10,000 by default.
  public var connectionLimit = 10_000
  /// Milliseconds without a byte after which a connection is taken for broken, 15,000 by default.
  public var silenceLimit = 15_000
  /// Milliseconds for which it is tried to go on after a connection broke, 60,000 by default.
  public var retryLimit = 60_000
  /// Bytes of disk that what is loaded may take, 256 MB by default; what lies far behind goes first.
  public var spoolLimit: Int64 = 256 << 20
  /// The policy for a broadcast that is paused.
  public var livePolicy = LivePolicy.holds

  /// Policies for a broadcast that is paused.
  public enum LivePolicy: String, Hashable, Sendable, CaseIterable {
    /// It goes on where it was paused, as far as `spoolLimit` holds.
    case holds
    /// It goes on with what is broadcast then.
    case goesOnLive
  }

  /// Nothing besides, and the limits that are said.
  public init() {}
}
