// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestFixtures
import Testing

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
