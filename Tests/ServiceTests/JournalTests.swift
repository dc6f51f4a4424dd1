// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestFixtures
import TestSeeds
import Testing

@testable import AttaccaService

/// What is there of a service that nobody has closed.
struct JournalTests {
  /// What clients are told of the queue and the modes, and the order of playing.
  private func told(_ service: ServedHere) -> [String] {
    let status = service("status").split(separator: "\n").map(String.init)
    let modes = status.filter { line in
      ["repeat", "random", "single", "consume", "xfade", "mixramp", "volume", "song", "state"]
        .contains { line.hasPrefix($0) }
    }
    let order = service.queue.sync {
      service.server.served.playlist.items.compactMap { service.server.served.queue.id(of: $0.id) }
    }
    return modes + ["order \(order)"]
      // A copied file is younger.
      + service("playlistid").split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("Last-Modified") }
      + [
        service("outputs"), service("attacca_speed"), service("attacca_sleep"),
        service.value("attacca_silence", "shortened") ?? "",
      ]
  }

  private func command(_ service: ServedHere, _ random: inout SplitMix64) -> String {
    let count = service.queue.sync { service.server.served.queue.count }
    func position() -> Int { Int.random(in: 0..<max(count, 1), using: &random) }
    let ids = service.queue.sync { service.server.served.queue.slots.map(\.id) }
    let id = ids.randomElement(using: &random) ?? 0
    let bit = Int.random(in: 0...1, using: &random)
    return switch Int.random(in: 0..<25, using: &random) {
    case 0: "add /"
    case 1, 2, 3: "addid \(Int.random(in: 1...4, using: &random)).wav \(min(position(), count))"
    case 4: "delete \(position())"
    case 5: "delete \(min(count, 2)):\(min(count, 4))"
    case 6: "deleteid \(id)"
    case 7: "move \(position()) \(position())"
    case 8: "move 1:3 0"
    case 9: "swap \(position()) \(position())"
    case 10: "shuffle"
    case 11: "prioid \(Int.random(in: 0...255, using: &random)) \(id)"
    case 12: "rangeid \(id) 0.25:0.75"
    case 13: "random \(bit)"
    case 14: "repeat \(bit)"
    case 15: "single \(bit == 0 ? "oneshot" : "0")"
    case 16: "consume \(bit)"
    case 17: "setvol \(Int.random(in: 0...100, using: &random))"
    case 18: "toggleoutput 0"
    case 19: "crossfade \(bit * 3)"
    case 20: "seek \(position()) 0.125"
    case 21: "stop"
    case 22: bit == 0 ? "attacca_speed 1.5" : "attacca_silence 1"
    case 23: bit == 0 ? "attacca_sleep items:\(count + 9) 2" : "attacca_sleep off"
    default: count > 30 ? "clear" : "mixrampdelay \(bit + 1)"
    }
  }

  /// A copy of the folder is opened, as the folder would be after a kill.
  ///
  /// A small weight has the state be written as a whole in between; in half of the turns the kill is in front of that.
  @Test(arguments: [3, 40, 10_000])
  func `whatever was answered is there after a kill`(heavy: Int) throws {
    for seed in SplitMix64.givenSeeds ?? (0..<6).map({ _ in .random(in: 0..<1_000_000) }) {
      var random = SplitMix64(seed: seed)
      let folder = try TemporaryFolder()
      for number in 1...4 { try ServedHere.makeSong(folder, "\(number).wav") }
      var service = try ServedHere(in: folder, heavy: heavy)
      for _ in 0..<4 {
        let isWritten = Bool.random(using: &random)
        if !isWritten { service.keeper.writer.suspend() }
        var given: [String] = []
        for _ in 0..<Int.random(in: 1...25, using: &random) {
          given.append(command(service, &random))
          service(given[given.count - 1])
          service("pause 1")
        }
        let known = told(service)
        if isWritten { service.settle() }
        let another = try ServedHere(in: copy(of: service.folder), heavy: heavy)
        if !isWritten { service.keeper.writer.resume() }
        let restored = told(another)
        let differing = zip(known, restored).filter { $0 != $1 }
        #expect(restored == known, "SEEDS=\(seed), after \(given): \(differing)")
        #expect(service.notices.all.isEmpty)
        service = another
      }
    }
  }

  /// A folder with what another one has at this moment.
  private func copy(of folder: TemporaryFolder) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.copyItem(
        atPath: folder.path + "/" + name, toPath: copy.path + "/" + name)
    }
    return copy
  }

  private func entry(_ number: UInt64) -> JournalEntry {
    let song = Song(
      uri: "a/ü \(number)", values: [SongValue(tag: .title, text: "t = \(number)")],
      nanoseconds: 5, modified: nil, format: "44100:16:2", range: SongPart(start: 1, end: nil))
    return JournalEntry(
      sequence: number, version: 7,
      changes: [
        .insert([KeptSong(id: 3, song: song, priority: 2)], at: 0), .remove(1..<2),
        .move(0..<2, to: 4), .swap(1, 5), .arrange([4, 3], at: 1), .priority(9, at: 3),
        .replace(song, at: 2), .order([1, 2, 3]), .place(7, orderedAt: 2), .modes(PlayModes()),
        .volume(33), .enabled(false),
        .playing(KeptPlace(state: "play", id: nil, nanoseconds: 12)),
      ])
  }

  private func bytes(
    _ folder: TemporaryFolder, _ first: UInt64, _ count: UInt64
  ) throws -> [UInt8] {
    let journal = StateJournal(folder: folder.path)
    try journal.begin(at: first)
    for number in first..<first + count { try journal.append(entry(number)) }
    return try TemporaryFolder.bytes(at: folder.path + "/service-\(first).journal")
  }

  @Test func `a journal that ends anywhere has the entries in front of that`() throws {
    let folder = try TemporaryFolder()
    let bytes = try bytes(folder, 1, 3)
    #expect(StateJournal.entries(of: bytes) == [entry(1), entry(2), entry(3)])
    let length = bytes.count / 3
    for count in 0..<bytes.count {
      let found = StateJournal.entries(of: Array(bytes[..<count]))
      #expect(found == (0..<count / length).map { entry(UInt64($0 + 1)) }, "\(count) bytes")
    }
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x10
      let found = StateJournal.entries(of: damaged)
      #expect(found == (0..<place / length).map { entry(UInt64($0 + 1)) }, "byte \(place)")
    }
  }

  @Test func `entries behind a gap are not taken`() throws {
    let folder = try TemporaryFolder()
    _ = try bytes(folder, 4, 2)
    _ = try bytes(folder, 6, 2)
    _ = try bytes(folder, 9, 1)
    func numbers(_ last: UInt64) -> [UInt64] {
      StateJournal.entries(in: folder.path, behind: last).map(\.sequence)
    }
    #expect(numbers(3) == [4, 5, 6, 7])
    #expect(numbers(5) == [6, 7])
    #expect(numbers(8) == [9])
    #expect(numbers(2) == [])
    StateJournal.removeFiles(in: folder.path, before: 6)
    #expect(numbers(3) == [])
    StateJournal.removeFiles(in: folder.path, from: 9)
    #expect(numbers(8) == [])
    #expect(numbers(5) == [6, 7])
  }

  @Test func `where the journal cannot be written it is said, and made good`() throws {
    let folder = try TemporaryFolder()
    for number in 1...4 { try ServedHere.makeSong(folder, "\(number).wav") }
    let service = try ServedHere(in: folder, heavy: 5)
    // Nothing can be opened for writing where a folder is.
    for number in 2...20 {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/service-\(number).journal", withIntermediateDirectories: false)
    }
    service("add /")
    service("setvol 30")
    service("setvol 20")
    #expect(service.notices.all.first??.path.contains("/service-") == true)
    #expect(service.value("status", "error")?.contains("cannot be written") == true)
    for number in 2...20 { rmdir(folder.path + "/service-\(number).journal") }
    // It is tried once a second.
    #expect(
      until {
        service.keeper.keep(service.queue.sync { service.keeper.take() })
        return service.notices.all.last == .some(nil)
      })
    service("setvol 10")
    service.settle()
    let again = try ServedHere(in: folder)
    #expect(again.value("status", "playlistlength") == "4")
    #expect(again.value("status", "volume") == "10")
  }
}
