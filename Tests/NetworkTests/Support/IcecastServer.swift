// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Icecast on loopback with a source that sends a file over and over in real time; both end with this, and with
/// the process of the tests.
final class IcecastServer: @unchecked Sendable {
  // @unchecked: constant after `init`.
  let port: Int
  private let folder: String
  private let shell = Process()
  private let leash = Pipe()

  struct Unstarted: Error, CustomStringConvertible { let description: String }

  /// Sends `path` to the mount "radio", by ffmpeg's `arguments`.
  init(path: String, arguments: String) throws {
    var template = Array("/tmp/attacca-icecast-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Unstarted(description: "mkdtemp") }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    chmod(folder, 0o777)
    port = try Self.freePort()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(".servers").path
    guard FileManager.default.fileExists(atPath: root + "/bin/icecast2") else {
      throw Unstarted(
        description: "icecast2 is not in .servers: scripts/fetch-servers puts it there")
    }
    let owner =
      geteuid() == 0
      ? "<changeowner><user>nobody</user><group>nogroup</group></changeowner>" : ""
    try """
    <icecast>
      <limits><clients>20</clients><sources>4</sources><burst-size>65536</burst-size></limits>
      <authentication><source-password>secret</source-password><admin-user>admin</admin-user>
        <admin-password>secret</admin-password></authentication>
      <hostname>localhost</hostname>
      <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
      <paths><basedir>\(root)/root/usr/share/icecast2</basedir><logdir>\(folder)</logdir>
        <webroot>\(root)/root/usr/share/icecast2/web</webroot>
        <adminroot>\(root)/root/usr/share/icecast2/admin</adminroot></paths>
      <security><chroot>0</chroot>\(owner)</security>
    </icecast>
    """.write(toFile: folder + "/icecast.xml", atomically: true, encoding: .utf8)
    // The source tries until the server listens.
    let script = """
      '\(root)/bin/icecast2' -c '\(folder)/icecast.xml' >'\(folder)/log' 2>&1 </dev/null &
      server=$!
      (for i in 1 2 3 4 5 6 7 8 9 10; do
        ffmpeg -v error -re -stream_loop -1 -i '\(path)' \(arguments) \
          icecast://source:secret@127.0.0.1:\(port)/radio && break
        sleep 0.2
      done) >>'\(folder)/log' 2>&1 </dev/null &
      read -r _
      for p in $(ps -o pid= --ppid $!) $! $server; do kill -9 $p; done 2>/dev/null
      wait
      rm -rf '\(folder)'
      """
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", script]
    shell.standardInput = leash
    // Dispatch's threads block SIGCHLD, the shell would inherit that, and its `wait` never end.
    var (none, inherited) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &inherited)
    defer { pthread_sigmask(SIG_SETMASK, &inherited, nil) }
    try shell.run()
  }

  deinit {
    leash.fileHandleForWriting.closeFile()
    shell.waitUntilExit()
  }

  /// What the server and its source have said.
  var log: String {
    FileManager.default.contents(atPath: folder + "/log").map {
      String(decoding: $0, as: UTF8.self)
    }
      ?? ""
  }

  /// A port that nobody has at the moment.
  private static func freePort() throws -> Int {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard isBound else { throw Unstarted(description: "bind") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
