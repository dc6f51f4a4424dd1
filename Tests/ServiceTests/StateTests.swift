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

  @Test func `another process has what is left of the sleep timer`() throws {
    let folder = try TemporaryFolder()
    try ServedHere.makeSong(folder, "1.wav", seconds: 3)
    var service = try ServedHere(in: folder)
    service("add /")
    service("play")
    service("attacca_sleep items:3 2")
    service.close()
    service = try ServedHere(in: folder)
    #expect(service.value("attacca_sleep", "sleep") == "items:3")
    #expect(service.value("attacca_sleep", "fade") == "2.000")
    service("attacca_sleep 600")
    service.close()
    service = try ServedHere(in: folder)
    let left = service.value("attacca_sleep", "sleep").flatMap { Double($0) } ?? 0
    #expect(left > 0 && left <= 600)
    service("attacca_sleep off")
    service.close()
    service = try ServedHere(in: folder)
    #expect(service("attacca_sleep") == "OK\n")
  }

  // It played on at night where the machine was begun anew after the timer.
  @Test func `who has fallen asleep before the next process is there is not woken`() throws {
    let folder = try TemporaryFolder()
    try ServedHere.makeSong(folder, "1.wav", seconds: 3)
    var service = try ServedHere(in: folder)
    service("add /")
    service("play")
    service.close()
    let path = folder.path + "/service.sqlite"
    try StateDatabase(path: path).run(
      "INSERT OR REPLACE INTO setting VALUES ('sleep', 'moment 1000 0')")
    service = try ServedHere(in: folder)
    #expect(service.value("status", "state") == "pause")
    service("play")
    service.close()
    service = try ServedHere(in: folder)
    #expect(service.value("status", "state") == "play")
  }

  /// What is kept of songs, of modes and of the place may be anything.
  @Test(
    arguments: [
      "slot SET id = 7", "slot SET id = -5", "slot SET id = 4294967295",
      "slot SET id = 99999999999, priority = -1", "slot SET start = 5, stop = 3",
      "slot SET start = -1, nanoseconds = -7", "setting SET value = -5", "setting SET value = 'x'",
      "setting SET value = 1e300",
      "setting SET value = 'moment 9223372036854775807 9223372036854775807' "
        + "WHERE name = 'sleep'",
      "setting SET value = 'moment -9223372036854775808 0' WHERE name = 'sleep'",
      "setting SET value = 'items 0 0' WHERE name = 'sleep'",
      "setting SET value = 9223372036854775807",
    ])
  func `a state that none can have been is taken up as far as it can`(damage: String) throws {
    let folder = try TemporaryFolder()
    for number in 1...3 { try ServedHere.makeSong(folder, "\(number).wav") }
    var service = try ServedHere(in: folder)
    service("add /")
    service("play")
    service.close()
    let path = folder.path + "/service.sqlite"
    try StateDatabase(path: path).run("UPDATE \(damage)")
    service = try ServedHere(in: folder)
    #expect(service.values("playlistid", "Id").count <= 3)
    service("add /")
    service("play")
    #expect(Set(service.values("playlistid", "Id")).count >= 3)
    service.close()
    service = try ServedHere(in: folder)
    #expect(Set(service.values("playlistid", "Id")).count >= 3)
  }
}
