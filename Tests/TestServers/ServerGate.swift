// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An address of a server that can be shut, so that a client does not find it before a test is
/// ready.
public struct ServerGate: Sendable {
  let path: String
  let target: String

  init(path: String, target: String) {
    (self.path, self.target) = (path, target)
    open()
  }

  /// What to give to a client.
  public var address: String { "unix:\(path)" }

  /// Who is connected stays connected; who connects finds nothing.
  public func shut() { unlink(path) }

  /// Who connects finds the server.
  public func open() { symlink(target, path) }
}
