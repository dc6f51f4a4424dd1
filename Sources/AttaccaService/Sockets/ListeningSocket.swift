// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// A socket that takes connections, on a queue, until it is closed.
final class ListeningSocket {
  private let sources: [any DispatchSourceRead]
  private let path: String?

  /// Listens at an address; `accept` gets each connection's descriptor, which does not block, on `queue`.
  init(
    _ address: SocketAddress, queue: DispatchQueue,
    accept: @escaping @Sendable (_ descriptor: Int32, _ isLocal: Bool) -> Void
  ) throws(SocketError) {
    var isLocal = false
    if case .path(let path) = address {
      isLocal = true
      self.path = path
      try Self.clear(path)
    } else {
      path = nil
    }
    let descriptors = try address.open("bind") { descriptor, name, length in
      var one: Int32 = 1
      if !isLocal {
        setsockopt(
          descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
      }
      // Nobody else may open it, from its first moment on.
      let mask = umask(0o177)
      defer { umask(mask) }
      guard bind(descriptor, name, length) == 0 else { return -1 }
      return listen(descriptor, 64)
    }
    sources = descriptors.map { descriptor in
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        while true {
          let client = Glibc.accept(descriptor, nil, nil)
          guard client >= 0 else { return }
          _ = fcntl(client, F_SETFD, FD_CLOEXEC)
          _ = fcntl(client, F_SETFL, O_NONBLOCK)
          accept(client, isLocal)
        }
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    if let path { unlink(path) }
  }

  /// Takes away a socket that a process has left behind which is no more.
  private static func clear(_ path: String) throws(SocketError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SocketError(address: path, call: "bind", code: EEXIST)
    }
    do throws(SocketError) {
      for descriptor in try SocketAddress.path(path).open("connect", { connect($0, $1, $2) }) {
        close(descriptor)
      }
    } catch {
      if error.code == ECONNREFUSED { unlink(path) }
      return
    }
    throw SocketError(address: path, call: "bind", code: EADDRINUSE)
  }
}
