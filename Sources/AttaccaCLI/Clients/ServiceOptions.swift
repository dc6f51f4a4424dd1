// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AttaccaService
import Glibc

/// Options of commands that are clients of a service.
struct ServiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The service: a socket's path, host:port or a host; by default what MPD_HOST and MPD_PORT say, the user's own \
      service or localhost.
      """, valueName: "address"))
  var service: String?

  @OptionGroup var errors: ErrorOptions

  func validate() throws {
    if let service, SocketAddress(service) == nil {
      throw ValidationError("'\(service)' is no address.")
    }
  }

  /// A client, connected.
  ///
  /// - Throws: What ends the command, which has been told.
  func connect() throws -> MusicClient {
    let (address, password) = self.address
    do throws(MusicClientError) {
      let client = try MusicClient(address)
      if let password { try client.send("password", [password]) }
      return client
    } catch {
      throw Resuming.refusal("\(error)")
    }
  }

  /// The address, and the password that stands before it, as in "secret@host".
  private var address: (SocketAddress, password: String?) {
    if let service, let address = SocketAddress(service) { return (address, nil) }
    let port = getenv("MPD_PORT").flatMap { Int(String(cString: $0)) } ?? SocketAddress.standardPort
    if let variable = getenv("MPD_HOST").map({ String(cString: $0) }), !variable.isEmpty {
      let parts = variable.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let host = String(parts[parts.count - 1])
      let password = parts.count > 1 && !parts[0].isEmpty ? String(parts[0]) : nil
      if host.hasPrefix("/") { return (.path(host), password) }
      return (.host(host, port: port), password)
    }
    if let path = UserFolders.runtime.map({ $0 + "/socket" }), access(path, F_OK) == 0 {
      return (.path(path), nil)
    }
    return (.host("localhost", port: port), nil)
  }

  /// Sends commands as one, and tells what the service has against them.
  func send(_ commands: [(name: String, arguments: [String])]) throws {
    let client = try connect()
    do throws(MusicClientError) {
      try client.send(all: commands)
    } catch {
      throw Resuming.refusal("\(error)")
    }
  }
}
