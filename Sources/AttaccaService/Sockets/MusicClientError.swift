// SPDX-License-Identifier: Apache-2.0

/// A conversation with a service that did not go as it should.
public enum MusicClientError: Error, Hashable, CustomStringConvertible {
  /// Nobody is at the address.
  case unreachable(SocketError)
  /// The service has refused a command, with these words.
  case refused(String)
  /// The service has gone, or is none.
  case ended

  /// The cause, in words.
  public var description: String {
    switch self {
    case .unreachable(let error): "no service: \(error)"
    case .refused(let text): text
    case .ended: "the service has ended the conversation"
    }
  }
}
