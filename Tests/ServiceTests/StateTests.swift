// SPDX-License-Identifier: Apache-2.0

import TestFixtures
import Testing

@testable import AttaccaService

struct StateTests {
  @Test func `another process has the queue, the place and the modes of the one before`() throws {
    let folder = try TemporaryFolder()
    for number in 1...4 { try ServedHere.makeSong(folder, "\(number).wav", seconds: 3) }
    var known: (ids: [String], version: String?) = ([], nil)
    do {
      let service = try ServedHere(in: folder)
      service("add /")
      service("addid 2.wav 0")
      service("random 1")
      service("single oneshot")
      service("crossfade 3")
      service("setvol 40")
      service("prioid 9 3")
      service("seek 2 1.25")
      service("pause 1")
      known = (service.values("playlistid", "Id"), service.value("status", "playlist"))
      service.close()
    }
    let service = try ServedHere(in: folder)
    #expect(service.values("playlistid", "Id") == known.ids)
    let status = service("status")
    for line in [
      "volume: 40", "random: 1", "single: oneshot", "xfade: 3", "state: pause", "song: 2",
      "elapsed: 1.250",
    ] {
      #expect(status.contains(line + "\n"), "\(line) is not in \(status)")
    }
    #expect(service.value("playlistid 3", "Prio") == "9")
    // What a client knows of the earlier process is old.
    #expect(
      service.value("status", "playlist").flatMap { Int($0) } ?? 0
        > known.version.flatMap { Int($0) } ?? .max)
  }
}
