// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An address that cannot be listened at, or a socket that cannot be reached.
public struct SocketError: Error, Hashable, CustomStringConvertible {
  /// The address, as it was given.
  public let address: String
  /// The function of the system that failed.
  public let call: String
  /// The system's own code.
  public let code: Int32

  /// The address and the cause.
  public var description: String {
    let cause = code == 0 ? "not an address" : String(cString: strerror(code))
    return "\(address): \(cause) (\(call))"
  }
}
