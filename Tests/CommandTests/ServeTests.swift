// SPDX-License-Identifier: Apache-2.0

import AttaccaService
import Foundation
import TestFixtures
import Testing

@testable import AttaccaCLI

/// `attacca serve`, and the commands that are its clients.
struct ServeTests {
  private let folder = try! TestFixtures.TemporaryFolder()

  private func run(_ script: String) throws -> Attacca {
    for number in 1...3 { try makeSong("\(number).wav") }
    let start = """
      set -e
      cd \(folder.path)
      export MPD_HOST=\(folder.path)/socket
      serve() {
        "$attacca" serve --output null --music music --playlists lists --state state --listen "$MPD_HOST" \
          --settings settings 2>log &
        service=$!
        for i in $(seq 200); do "$attacca" status >/dev/null 2>&1 && break; sleep 0.05; done
      }
      elapsed() { "$attacca" status --json | sed -n 's/.*"elapsed": \\([0-9.]*\\).*/\\1/p'; }
      serve

      """
    return try Attacca(script: start + script)
  }

  private func makeSong(_ name: String) throws {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = 88_200 * 20
    var data = Array("RIFF".utf8) + bytes(36 + size, 4) + Array("WAVEfmt ".utf8)
    data += bytes(16, 4) + bytes(1, 2) + bytes(1, 2) + bytes(44_100, 4) + bytes(88_200, 4)
    data += bytes(2, 2) + bytes(16, 2) + Array("data".utf8) + bytes(size, 4)
    _ = try folder.file("music/" + name, data + [UInt8](repeating: 0, count: size))
  }

  @Test func `the queue is shown and changed from a shell`() throws {
    let run = try run(
      """
      "$attacca" queue add --play music/2.wav music/1.wav
      "$attacca" queue add --next 3.wav || "$attacca" queue add --next music/3.wav
      "$attacca" pause
      "$attacca" next
      "$attacca" queue
      "$attacca" status --json | grep -E '"(state|playlistlength|song)"'
      "$attacca" queue clear
      "$attacca" status
      kill $service
      wait $service
      """)
    #expect(run.errors == "")
    #expect(
      run.output == """
          1. 2.wav
        > 2. 3.wav
          3. 1.wav
          "playlistlength": 3,
          "state": "pause",
          "song": 1,
        stopped

        """)
    #expect(run.status == 0)
  }

  @Test func `a service that was killed goes on where it was`() throws {
    let run = try run(
      """
      "$attacca" queue add --play music/1.wav music/2.wav
      until [ "$(elapsed | cut -d. -f1)" -ge 1 ]; do sleep 0.05; done
      elapsed
      kill -9 $service
      wait $service || true
      serve
      "$attacca" pause
      elapsed
      "$attacca" queue
      kill $service
      wait $service
      """)
    // Whether the shell says so too depends on when it looks.
    #expect(["", "Killed\n"].contains(run.errors))
    let lines = run.output.split(separator: "\n").map(String.init)
    let (heard, now) = (
      Double(lines.first ?? "") ?? -1, Double(lines.dropFirst().first ?? "") ?? -1
    )
    #expect(heard >= 0.5, "\(run.output)")
    // It has gone on for a moment, but begins at most a second before.
    #expect(now > heard - 1, "\(now) after \(heard)")
    #expect(lines.dropFirst(2) == ["> 1. 1.wav", "  2. 2.wav"])
  }

  /// The kill comes as soon as the client has read its answer.
  @Test func `what was answered is kept, however soon the service is killed`() throws {
    let run = try run(
      """
      for round in $(seq 15); do
        "$attacca" queue add music/$((round % 3 + 1)).wav
        kill -9 $service
        wait $service 2>/dev/null || true
        serve
      done
      "$attacca" queue | wc -l
      kill $service
      wait $service
      """)
    #expect(run.output == "15\n", "\(run.errors)")
  }

  /// A program takes the place of systemd, with a limit of 0.4 s between signs of life.
  @Test func `a manager of services is told of all that happens`() throws {
    let run = try run(
      """
      kill $service
      wait $service
      python3 -c '
      import socket, sys
      notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      notices.bind("notify")
      while True:
          text = notices.recv(4096).decode()
          print(text.replace("\\n", " "), flush=True)
          if text.startswith("STOPPING"): break
      ' >notices &
      manager=$!
      until [ -S notify ]; do sleep 0.02; done
      : >log
      export JOURNAL_STREAM=$(stat -L -c %d:%i log)
      export NOTIFY_SOCKET=$PWD/notify WATCHDOG_USEC=400000
      "$attacca" serve --output null --music music --playlists lists --state state --listen "$MPD_HOST" \
        --settings settings 2>>log &
      service=$!
      until [ "$(grep -c WATCHDOG notices)" -ge 3 ]; do sleep 0.02; done
      kill -HUP $service
      until [ "$(grep -c ^READY notices)" -ge 2 ]; do sleep 0.02; done
      kill $service
      wait $service
      wait $manager
      grep -v WATCHDOG notices | sed "s/USEC=[0-9]*/USEC=n/; s:$PWD:.:"
      sed "s:$PWD:.:" log
      """)
    #expect(
      run.output == """
        READY=1 STATUS=Clients come by ./socket
        RELOADING=1 MONOTONIC_USEC=n
        READY=1
        STOPPING=1
        <6>listening at ./socket
        <6>settings read again

        """, "\(run.errors)")
  }

  @Test func `limits are MPD's settings`() throws {
    let text = """
      max_connections "7"
      connection_timeout "0"
      max_output_buffer_size 1024
      """
    let limits = try ServeFile(text).limits
    #expect((limits.connections, limits.silence) == (7, 0))
    #expect(limits.outputBytes == 1_048_576)
    #expect(throws: ServeFile.Complaint.self) { try ServeFile("max_connections 0") }
  }

  @Test func `settings that cannot be are refused in words`() throws {
    _ = try folder.file("settings", Array("bind_to_address \"0.0.0.0:6611\"\n".utf8))
    _ = try folder.file("wrong", Array("# a comment\nmusic \"/tmp\"\n".utf8))
    let open = try Attacca(
      [
        "serve", "--output", "null", "--settings", folder.path + "/settings", "--state",
        folder.path,
      ])
    #expect(open.status == 1)
    #expect(
      open.errors == "attacca: 0.0.0.0:6611 is open to other machines, which takes a password\n")
    let wrong = try Attacca(["serve", "--output", "null", "--settings", folder.path + "/wrong"])
    #expect(wrong.errors == "attacca: \(folder.path)/wrong: line 2: 'music' is no setting\n")
  }

  @Test func `without a service its clients say so`() throws {
    let run = try Attacca(["next", "--service", folder.path + "/nothing"])
    #expect(run.status == 1)
    #expect(
      run.errors
        == "attacca: no service: \(folder.path)/nothing: No such file or directory (connect)\n")
  }
}
