// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An address of the service: a Unix socket's path, or a host and a port.
public enum SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// A Unix socket.
  case path(String)
  /// A host by its name or number, and a port.
  case host(String, port: Int)

  /// MPD's port.
  public static let standardPort = 6_600

  /// The address of a text: a path from the root on, "host", "host:port", "[::1]:6600" or ":port".
  public init?(_ text: String) {
    if text.hasPrefix("/") || text.hasPrefix("~") {
      self = .path(text)
      return
    }
    guard !text.isEmpty else { return nil }
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let host = String(text[text.index(after: text.startIndex)..<end])
      guard Self.isIPv6(host) else { return nil }
      let rest = text[text.index(after: end)...]
      guard let port = rest.isEmpty ? Self.standardPort : Self.port(rest) else { return nil }
      self = .host(host, port: port)
      return
    }
    guard !text.contains("[") && !text.contains("]") else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: self = .host(text, port: Self.standardPort)
    case 2:
      guard let port = Self.port(text[parts[1].startIndex...].isEmpty ? "" : ":" + parts[1]) else {
        return nil
      }
      self = .host(parts[0].isEmpty ? "0.0.0.0" : String(parts[0]), port: port)
    default:
      // An address of IPv6 without brackets has no port.
      guard Self.isIPv6(text) else { return nil }
      self = .host(text, port: Self.standardPort)
    }
  }

  /// A number of IPv6, with the name of a network behind "%" where it has one.
  private static func isIPv6(_ host: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(host.prefix { $0 != "%" }), &address) == 1
  }

  private static func port(_ text: some StringProtocol) -> Int? {
    guard text.first == ":", let port = Int(text.dropFirst()), (1...65_535).contains(port) else {
      return nil
    }
    return port
  }

  /// True where only this machine can reach it.
  public var isOwn: Bool {
    switch self {
    case .path: true
    case .host(let host, _): host == "localhost" || host == "::1" || Self.isLoopback(host)
    }
  }

  /// A number of 127.0.0.0/8; not a name that begins like one.
  private static func isLoopback(_ host: String) -> Bool {
    var address = in_addr()
    return host.hasPrefix("127.") && inet_pton(AF_INET, host, &address) == 1
  }

  /// The address as it is given.
  public var description: String {
    switch self {
    case .path(let path): path
    case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }

  /// Opens a socket of the address, and calls `body` with it and its address for each that the host has, up to the
  /// first that succeeds: `bind` or `connect`.
  func open(
    _ call: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SocketError) -> [Int32] {
    switch self {
    case .path(let path): return [try open(path, call, body)]
    case .host(let host, let port): return try open(host, port, call, body)
    }
  }

  private func open(
    _ path: String, _ call: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SocketError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SocketError(address: path, call: call, code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Self.kind, 0)
    guard descriptor >= 0 else { throw SocketError(address: path, call: "socket", code: errno) }
    let result = withUnsafeBytes(of: &address) {
      body(
        descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw SocketError(address: path, call: call, code: code)
    }
    return descriptor
  }

  private static let kind =
    Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

  private func open(
    _ host: String, _ port: Int, _ call: String,
    _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SocketError) -> [Int32] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_ADDRCONFIG
    if isOwn {
      // Loopback is there on machines without any other address.
      hints.ai_flags = AI_PASSIVE
    }
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let first = list else {
      throw SocketError(address: description, call: "getaddrinfo", code: 0)
    }
    defer { freeaddrinfo(first) }
    var (descriptors, code, failed): ([Int32], Int32, String) = ([], 0, call)
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let entry = next?.pointee {
      next = entry.ai_next
      let descriptor = socket(entry.ai_family, Self.kind, entry.ai_protocol)
      guard descriptor >= 0 else {
        (code, failed) = (errno, "socket")
        continue
      }
      if entry.ai_family == AF_INET6 {
        var one: Int32 = 1
        setsockopt(
          descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, socklen_t(MemoryLayout<Int32>.size))
      }
      if body(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 {
        descriptors.append(descriptor)
      } else {
        code = errno
        close(descriptor)
      }
    }
    guard !descriptors.isEmpty else {
      throw SocketError(address: description, call: failed, code: code)
    }
    return descriptors
  }
}
