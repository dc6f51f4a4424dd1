// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import TestFixtures
import Testing

@testable import AttaccaService

struct QueueCommandTests {
  private func service(_ songs: Int = 5, seconds: Int = 1) throws -> ServedHere {
    let folder = try TemporaryFolder()
    for number in 1...songs { try ServedHere.makeSong(folder, "\(number).wav", seconds: seconds) }
    return try ServedHere(in: folder)
  }

  @Test func `songs are put in, moved and taken out by positions and ids`() throws {
    let service = try service()
    #expect(service("add /") == "OK\n")
    #expect(service.values("playlistinfo", "file") == (1...5).map { "\($0).wav" })
    #expect(service("addid 3.wav 0") == "Id: 6\nOK\n")
    #expect(service("move 0 5") == "OK\n")
    #expect(service("moveid 1 1") == "OK\n")
    #expect(service("swap 0 2") == "OK\n")
    #expect(service("delete 1:3") == "OK\n")
    #expect(service.values("playlistinfo", "Id") == ["3", "4", "5", "6"])
    #expect(service("deleteid 1") == "ACK [50@0] {deleteid} No such song\n")
    #expect(service("delete 9") == "ACK [2@0] {delete} Bad song index\n")
    #expect(service("add nothing") == "ACK [50@0] {add} No such directory\n")
    let engine = service.server.served.playlist.items.map(\.path).map {
      $0.split(separator: "/").last
    }
    #expect(engine == ["3.wav", "4.wav", "5.wav", "3.wav"])
    #expect(service("clear") == "OK\n")
    #expect(service.value("status", "playlistlength") == "0")
  }

  @Test func `the engine's order is the queue's after random edits`() throws {
    let service = try service()
    service("add /")
    service("play 2")
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let count = Int(service.value("status", "playlistlength") ?? "") ?? 0
      func place(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &random) }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: service("addid \(place(5) + 1).wav \(place(count + 1))")
      case 1: service("swap \(place(count)) \(place(count))")
      case 2: service("move \(place(count)) \(place(count))")
      case 3 where count > 4: service("move 0:2 \(place(count - 1))")
      case 4 where count > 6: service("delete \(place(count))")
      default: service("shuffle")
      }
      let queue = service.queue.sync { service.server.served.queue.slots.map(\.item.id) }
      #expect(service.server.served.playlist.items.map(\.id) == queue)
    }
  }

  @Test func `commands of a list end at the first that is refused`() throws {
    let service = try service()
    service("command_list_begin")
    service("add 1.wav")
    service("delete 7")
    service("add 2.wav")
    #expect(service("command_list_end") == "ACK [2@1] {delete} Bad song index\n")
    #expect(service.values("playlistinfo", "file") == ["1.wav"])
    service("command_list_ok_begin")
    service("ping")
    service("getvol")
    #expect(service("command_list_end") == "list_OK\nvolume: 100\nlist_OK\nOK\n")
  }

  @Test func `what follows a song is what the modes say`() throws {
    let service = try service()
    service("add /")
    #expect(service("next") == "ACK [55@0] {next} Not playing\n")
    service("play 3")
    #expect(service.value("status", "state") == "play")
    #expect(service.value("status", "song") == "3")
    #expect(service.value("status", "nextsong") == "4")
    service("next")
    #expect(service.value("status", "song") == "4")
    #expect(service.value("status", "nextsong") == nil)
    service("repeat 1")
    #expect(service.value("status", "nextsong") == "0")
    service("single 1")
    #expect(service.value("status", "nextsong") == "4")
    service("pause")
    #expect(service.value("status", "state") == "pause")
    service("stop")
    #expect(service.value("status", "state") == "stop")
    #expect(service.value("status", "song") == "4")
  }

  @Test func `songs that are consumed go when they have been heard`() throws {
    let service = try service(3)
    service("add /")
    service("consume 1")
    service("play")
    service.hear(44_100 + 4_410)
    #expect(until { service.value("status", "playlistlength") == "2" })
    #expect(service.value("status", "songid") == "2")
    service("next")
    #expect(service.values("playlistinfo", "Id") == ["3"])
  }

  @Test func `one song alone is played where a list is single, once where it is oneshot`() throws {
    let service = try service(3)
    service("add /")
    service("single oneshot")
    service("play 0")
    #expect(
      until {
        service.pull(4_800)
        return service.value("status", "single") == "0"
      })
    #expect(service.value("status", "state") == "pause")
    #expect(service.value("status", "song") == "1")
    #expect(service.value("status", "elapsed") == "0.000")
  }

  @Test func `in a random order each song comes once, the highest priorities first`() throws {
    let service = try service(5)
    service("add /")
    service("random 1")
    service("prio 10 4:5")
    service("prio 20 2:3")
    service("play 0")
    var heard: [String] = []
    for _ in 0..<5 {
      heard.append(service.value("status", "song") ?? "none")
      service("next")
    }
    #expect(heard.prefix(3) == ["0", "2", "4"])
    #expect(Set(heard).count == 5)
    #expect(service.value("status", "state") == "stop")
    #expect(service.values("playlistinfo", "Pos").count == 5)
  }

  @Test func `seeks are exact, and told at once`() throws {
    let service = try service(2, seconds: 4)
    service("add /")
    service("seek 1 2.5")
    #expect(service.value("status", "elapsed") == "2.500")
    #expect(service.value("status", "duration") == "4.000")
    service("seekcur -1")
    #expect(service.value("status", "elapsed") == "1.500")
    #expect(service("seek 7 1") == "ACK [2@0] {seek} Bad song index\n")
  }

  @Test func `an idle client hears of its own changes and those of others`() throws {
    let service = try service(2)
    #expect(service("idle playlist mixer") == "")
    #expect(service("noidle") == "OK\n")
    service("add 1.wav")
    #expect(service("idle playlist") == "changed: playlist\nOK\n")
    #expect(service("idle nonsense") == "ACK [2@0] {idle} Unrecognized idle event: nonsense\n")
  }

  @Test func `whoever comes by a network reads no file of this machine's`() throws {
    let folder = try TemporaryFolder()
    try ServedHere.makeSong(folder, "1.wav")
    let service = try ServedHere(in: folder, isLocal: false)
    #expect(service("add /etc/passwd") == "ACK [4@0] {add} Access denied\n")
    #expect(service("add file:///etc/passwd") == "ACK [4@0] {add} Access denied\n")
    #expect(service("add ../1.wav") == "ACK [50@0] {add} No such directory\n")
    #expect(service("readcomments ../service.sqlite") == "ACK [2@0] {readcomments} Malformed URI\n")
    #expect(service("listplaylist ../secret").hasPrefix("ACK [2@0] {listplaylist}"))
  }

  /// Playing stops with it, which makes another random order, of the songs that are left.
  @Test func `a song that is paused in a random order is taken out`() throws {
    let folder = try TemporaryFolder()
    for number in 1...4 { try ServedHere.makeSong(folder, "\(number).wav") }
    let service = try ServedHere(in: folder)
    for line in ["add /", "random 1", "play 2", "pause 1"] { service(line) }
    #expect(service("deleteid 3") == "OK\n")
    #expect(service.values("playlistid", "Id") == ["1", "2", "4"])
    #expect(service.value("status", "state") == "stop")
  }
}
