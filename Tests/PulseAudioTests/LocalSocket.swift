// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A socket for local connections that `attach` has given the address of `path`; -1 where it has not.
func makeSocket(
  at path: String, _ attach: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  let code = withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      attach(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  return code == 0 ? file : -1
}
