// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation
import Synchronization
import TestFixtures
import Testing

@testable import AttaccaService

/// The service with sockets.
struct DaemonTests {
  private func daemon(
    _ folder: TemporaryFolder, passwords: [String: [String]] = [:],
    limits: DaemonSettings.Limits = .init()
  ) throws -> (MusicDaemon, SocketAddress) {
    for number in 1...3 { try ServedHere.makeSong(folder, "\(number).wav") }
    let address = SocketAddress.path(folder.path + "/socket")
    var settings = DaemonSettings(
      musicFolder: folder.path + "/music", playlistFolder: folder.path + "/lists",
      stateFolder: folder.path)
    settings.addresses = [address]
    (settings.passwords, settings.limits) = (passwords, limits)
    let daemon = try MusicDaemon(
      settings, renderer: OfflineRenderer(format: AudioFormat(sampleRate: 44_100, channelCount: 1)),
      outputName: "null", source: { _ in nil }, log: { _ in }, ends: {})
    #expect(daemon.listen(settings) == [])
    let client = try MusicClient(address)
    #expect(try until { try !client.send("status").contains { $0.name == "updating_db" } })
    return (daemon, address)
  }

  @Test func `nobody but its user can open the socket`() throws {
    let folder = try TemporaryFolder()
    let (daemon, _) = try daemon(folder)
    var status = stat()
    #expect(stat(folder.path + "/socket", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    daemon.close()
    #expect(stat(folder.path + "/socket", &status) != 0)
  }

  @Test func `an address that others can reach takes a password`() {
    var settings = DaemonSettings(musicFolder: nil, playlistFolder: "/", stateFolder: "/")
    for own in ["/run/a", "localhost", "127.0.0.1:6600", "[::1]:6600"] {
      settings.addresses.append(SocketAddress(own)!)
    }
    #expect(settings.complaint == nil)
    settings.addresses.append(SocketAddress("0.0.0.0:6600")!)
    #expect(settings.complaint == "0.0.0.0:6600 is open to other machines, which takes a password")
    settings.passwords = ["secret": ["read"]]
    #expect(settings.complaint == nil)
    #expect(settings.access.permissions(isLocal: false) == [])
    #expect(settings.access.permissions(isLocal: true) == .all)
    settings.unasked = ["read", "dance"]
    #expect(
      settings.complaint
        == "'dance' is no permission; they are read, add, control, player and admin")
  }

  /// Each client's addition and what it says of the queue are one: of all of them together there is one order.
  @Test func `commands of eight clients at once have one order`() throws {
    let folder = try TemporaryFolder()
    let (daemon, address) = try daemon(folder)
    let turns = 250
    let seen = Seen()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      var last = 0
      do {
        let client = try MusicClient(address)
        for turn in 0..<turns {
          let id = Int(try client.send("addid", ["\(turn % 3 + 1).wav"]).first?.value ?? "") ?? 0
          if id <= last { seen.add(-1) }
          last = id
          seen.add(id)
          if turn % 5 == 4 { try client.send("deleteid", ["\(id)"]) }
          try client.send(turn % 2 == 0 ? "status" : "playlistinfo", turn % 2 == 0 ? [] : ["0"])
        }
      } catch {
        seen.add(-2)
      }
    }
    #expect(seen.sorted == Array(1...(8 * turns)))
    let client = try MusicClient(address)
    let status = try client.send("status")
    #expect(status.first { $0.name == "playlistlength" }?.value == "\(8 * turns * 4 / 5)")
    let ids = try client.send("playlistinfo").filter { $0.name == "Id" }.compactMap {
      Int($0.value)
    }
    #expect(ids == ids.sorted())
    daemon.close()
  }

  private final class Seen: Sendable {
    private let semaphore = DispatchSemaphore(value: 1)
    private nonisolated(unsafe) var numbers: [Int] = []

    func add(_ number: Int) {
      semaphore.wait()
      numbers.append(number)
      semaphore.signal()
    }

    var sorted: [Int] {
      semaphore.wait()
      defer { semaphore.signal() }
      return numbers.sorted()
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n\r\n", "\u{0}\u{1}\u{2}\n", "add \"\n",
    String(repeating: "a", count: 200_000),
    "command_list_begin\n" + String(repeating: "status\n", count: 10), "half a line",
    "\u{FF}\u{FE}\n", "status " + String(repeating: "\"", count: 60_000) + "\n",
  ])
  func `whatever one client sends, the others are served`(bytes: String) throws {
    let folder = try TemporaryFolder()
    let (daemon, address) = try daemon(folder)
    let other = try MusicClient(address)
    let descriptors = try address.open("connect") { connect($0, $1, $2) }
    let sent = Array(bytes.utf8)
    _ = send(descriptors[0], sent, sent.count, Int32(MSG_NOSIGNAL))
    #expect(try other.send("status").contains { $0.name == "state" && $0.value == "stop" })
    shutdown(descriptors[0], Int32(SHUT_WR))
    // It is answered with an error, or left, and nothing waits for ever.
    var answer = [UInt8](repeating: 0, count: 1 << 20)
    while recv(descriptors[0], &answer, answer.count, 0) > 0 {}
    close(descriptors[0])
    #expect(try other.send("ping").isEmpty)
    daemon.close()
  }

  @Test func `a client that reads nothing keeps nobody waiting, and is not fed for ever`() throws {
    let folder = try TemporaryFolder()
    let (daemon, address) = try daemon(folder)
    let other = try MusicClient(address)
    for _ in 0..<200 { try other.send("add", ["/"]) }
    let descriptors = try address.open("connect") { connect($0, $1, $2) }
    _ = fcntl(descriptors[0], F_SETFL, O_NONBLOCK)
    let line = Array("playlistinfo\n".utf8)
    var sent = 0
    // Each answer has 100 kB: the socket is full soon, and then its commands wait, too.
    for _ in 0..<200_000 where send(descriptors[0], line, line.count, Int32(MSG_NOSIGNAL)) > 0 {
      sent += 1
    }
    #expect(sent < 200_000)
    #expect(try other.send("status").contains { $0.name == "playlistlength" && $0.value == "600" })
    close(descriptors[0])
    daemon.close()
  }

  /// Connects, and reads the greeting.
  private func connection(_ address: SocketAddress) throws -> Int32 {
    let descriptor = try address.open("connect") { connect($0, $1, $2) }[0]
    #expect(text(descriptor).hasPrefix("OK MPD "))
    return descriptor
  }

  private func text(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private func write(_ text: String, _ descriptor: Int32) {
    let bytes = Array(text.utf8)
    #expect(send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  @Test func `who sends no whole line for too long is left, who waits in idle is not`() throws {
    let folder = try TemporaryFolder()
    var limits = DaemonSettings.Limits()
    limits.silence = 3
    let (daemon, address) = try daemon(folder, limits: limits)
    let waiting = try connection(address)
    write("idle mixer\n", waiting)
    let slow = try connection(address)
    write("stat", slow)
    #expect(text(slow) == "")
    write("noidle\n", waiting)
    #expect(text(waiting) == "OK\n")
    for descriptor in [slow, waiting] { close(descriptor) }
    daemon.close()
  }

  @Test func `more connections than are permitted are closed, and the others are served`() throws {
    let folder = try TemporaryFolder()
    var limits = DaemonSettings.Limits()
    limits.connections = 20
    let (daemon, address) = try daemon(folder, limits: limits)
    let first = try MusicClient(address)
    var descriptors: [Int32] = []
    for _ in 0..<200 {
      descriptors.append(try address.open("connect") { connect($0, $1, $2) }[0])
    }
    let greeted = descriptors.filter { text($0).hasPrefix("OK MPD ") }
    // One is the client's, and the daemon may not have seen yet that the one of its beginning has gone.
    #expect([18, 19].contains(greeted.count))
    #expect(try first.send("ping").isEmpty)
    for descriptor in descriptors { close(descriptor) }
    #expect(until { (try? MusicClient(address)) != nil })
    daemon.close()
  }

  @Test func `a client that reads nothing for too long is left`() throws {
    let folder = try TemporaryFolder()
    var limits = DaemonSettings.Limits()
    limits.silence = 1
    let (daemon, address) = try daemon(folder, limits: limits)
    let descriptor = try connection(address)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let line = Array(String(repeating: "commands\n", count: 1_000).utf8)
    // The room for its answers is full soon, and then that for its commands.
    #expect(
      until {
        send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) < 0
          && [EPIPE, ECONNRESET].contains(errno)
      })
    close(descriptor)
    daemon.close()
  }

  @Test func `a client that goes in the middle of its reply harms nobody`() throws {
    let folder = try TemporaryFolder()
    let (daemon, address) = try daemon(folder)
    let other = try MusicClient(address)
    for _ in 0..<500 { try other.send("add", ["/"]) }
    for turn in 0..<30 {
      let leaving = try connection(address)
      write(String(repeating: "playlistinfo\n", count: 5), leaving)
      if turn % 2 == 0 { _ = text(leaving) }
      close(leaving)
      #expect(try other.send("ping").isEmpty)
    }
    daemon.close()
  }
}
