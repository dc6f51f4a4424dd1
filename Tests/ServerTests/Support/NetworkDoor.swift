// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestServers

/// A TCP address of a PulseAudio server, where it asks who comes for a cookie, or does not.
final class NetworkDoor {
  /// What to give to a client.
  let address: String
  private let server: PrivateServer
  private let port: UInt16
  private var module: String?

  /// A door that is shut.
  init(_ server: PrivateServer) throws {
    self.server = server
    port = try Self.freePort()
    address = "tcp:127.0.0.1:\(port)"
  }

  /// Lets everyone in, or those with a cookie that no client has.
  func open(wantsCookie: Bool = false) throws {
    let folder = server.address.dropFirst("unix:".count).split(separator: "/").dropLast()
    let cookie = "/" + folder.joined(separator: "/") + "/cookie-of-nobody"
    module = try server.control([
      "load-module", "module-native-protocol-tcp", "listen=127.0.0.1", "port=\(port)",
      wantsCookie ? "auth-cookie=\(cookie)" : "auth-anonymous=1",
    ])
  }

  /// Ends the connections that were made through it, and takes no others.
  func shut() throws {
    if let module { try server.control(["unload-module", module]) }
    module = nil
  }

  /// A port of this machine that nobody listens at.
  private static func freePort() throws -> UInt16 {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(file) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, length) == 0 ? getsockname(file, $0, &length) : -1
      }
    }
    guard file >= 0, code == 0 else {
      throw Unmet("a free port: \(String(cString: strerror(errno)))")
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
