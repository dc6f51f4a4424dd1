// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A client of a service that speaks MPD's protocol; each call waits for its answer.
///
/// One thread at a time.
public final class MusicClient {
  /// A line of an answer.
  public typealias Pair = (name: String, value: String)

  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var begin = 0

  /// Connects to a service.
  public init(_ address: SocketAddress) throws(MusicClientError) {
    let descriptors: [Int32]
    do throws(SocketError) {
      descriptors = try address.open("connect") { connect($0, $1, $2) }
    } catch {
      throw .unreachable(error)
    }
    descriptor = descriptors[0]
    for other in descriptors.dropFirst() { close(other) }
    guard try line().hasPrefix("OK MPD ") else { throw .ended }
  }

  deinit { close(descriptor) }

  /// Sends a command, its arguments in quotes, and returns the lines of its answer.
  ///
  /// - Throws: `refused` where the service answers with an error.
  @discardableResult
  public func send(_ name: String, _ arguments: [String] = []) throws(MusicClientError) -> [Pair] {
    try write(Self.line(name, arguments))
    return try answer()
  }

  /// Sends commands as one: none behind the first that is refused is carried out.
  public func send(
    all commands: [(name: String, arguments: [String])]
  ) throws(MusicClientError) {
    let lines = commands.map { Self.line($0.name, $0.arguments) }.joined()
    try write("command_list_begin\n\(lines)command_list_end\n")
    _ = try answer()
  }

  private static func line(_ name: String, _ arguments: [String]) -> String {
    let words = arguments.map { argument in
      var word = "\""
      for scalar in argument.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { word.unicodeScalars.append("\\") }
        // A line ends where it should.
        word.unicodeScalars.append(scalar == "\n" ? " " : scalar)
      }
      return word + "\""
    }
    return ([name] + words).joined(separator: " ") + "\n"
  }

  private func answer() throws(MusicClientError) -> [Pair] {
    var pairs: [Pair] = []
    while true {
      let line = try line()
      if line == "OK" { return pairs }
      if line.hasPrefix("ACK ") {
        let words = line.split(separator: "}", maxSplits: 1).last ?? ""
        throw .refused(String(words.drop { $0 == " " }))
      }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      pairs.append((String(parts[0]), String(parts[1].dropFirst())))
    }
  }

  private func write(_ text: String) throws(MusicClientError) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { done += count } else if errno != EINTR { throw .ended }
    }
  }

  private func line() throws(MusicClientError) -> String {
    while true {
      if let end = bytes[begin...].firstIndex(of: 0x0A) {
        defer { begin = end + 1 }
        return String(decoding: bytes[begin..<end], as: UTF8.self)
      }
      bytes.removeSubrange(..<begin)
      begin = 0
      var new = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &new, new.count, 0)
      guard count > 0 || count < 0 && errno == EINTR else { throw .ended }
      bytes += new.prefix(max(0, count))
    }
  }
}
