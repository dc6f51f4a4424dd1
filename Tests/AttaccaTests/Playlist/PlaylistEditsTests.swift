// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import PulseDevice
@testable import Rendering
import TestSeeds
import Testing

/// Edits by identity, and several as one.
@Suite struct PlaylistEditsTests {
  private func filled(_ count: Int) -> (playlist: Playlist, items: [PlaylistItem]) {
    let items = (0..<count).map { PlaylistItem(path: "\($0)") }
    let playlist = Playlist()
    playlist.append(contentsOf: items)
    return (playlist, items)
  }

  @Test func `an edit by identity finds its item wherever that is`() throws {
    let (playlist, items) = filled(4)
    let new = (0..<4).map { PlaylistItem(path: "new \($0)") }
    try playlist.insert(new[0], before: items[2].id)
    try playlist.move(items[3].id, to: .first)
    try playlist.move(items[0].id, to: .after(new[0].id))
    #expect(playlist.items.elementsEqual([items[3], items[1], new[0], items[0], items[2]]))
    #expect(
      try playlist.replace(items[1].id, with: new[1]).identities == [items[1].id, new[1].id])
    try playlist.insert(new[2], at: .last)
    try playlist.insert(contentsOf: [new[3], items[1]], at: .before(items[0].id))
    #expect(
      playlist.items.elementsEqual(
        [items[3], new[1], new[0], new[3], items[1], items[0], items[2], new[2]]))
    try playlist.move(items[0].id, to: .before(items[0].id))
    #expect(playlist.items[5] == items[0])
  }

  @Test func `several edits are one serial number and one difference, and nothing where one fails`()
    async throws
  {
    let (playlist, items) = filled(5)
    let new = PlaylistItem(path: "new")
    let changes = playlist.changes
    let before = playlist.queue.snapshot.serialNumber
    #expect(throws: PlaylistError(id: new.id, call: "move")) {
      try playlist.edit { edits in
        edits.remove(items[0].id)
        edits.move(new.id, to: .first)
      }
    }
    #expect(playlist.items.elementsEqual(items))
    let edit = try playlist.edit { edits in
      edits.append(new)
      edits.remove(items[0].id)
      edits.move(items[3].id, to: .before(items[1].id))
    }
    #expect(edit.serialNumber == before + 1)
    #expect(edit.identities == [new.id, items[0].id, items[3].id])
    var iterator = changes.makeAsyncIterator()
    let difference = try #require(await iterator.next())
    #expect(difference.serialNumber == edit.serialNumber)
    #expect(
      difference.steps == [.removed(3..<4), .removed(0..<1), .inserted(0..<1), .inserted(4..<5)])
    #expect(difference.items.elementsEqual([items[3], items[1], items[2], items[4], new]))
  }

  @Test func `the differences of several edits as one give the list to who follows them`()
    async throws
  {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SplitMix64(seed: seed)
    let (playlist, items) = filled(30)
    let changes = playlist.changes
    var iterator = changes.makeAsyncIterator()
    var mirror = items
    for _ in 0..<200 {
      let list = playlist.items
      try playlist.edit { edits in
        var (gone, put) = (Set<PlaylistItem.ID>(), [PlaylistItem]())
        edits.append(PlaylistItem(path: "last"))
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          let item = list[Int.random(in: 0..<list.count, using: &random)]
          guard !gone.contains(item.id) else { continue }
          let new = PlaylistItem(path: "new")
          switch Int.random(in: 0...3, using: &random) {
          case 0:
            edits.remove(item.id)
            gone.insert(item.id)
          case 1: edits.insert(new, at: .after(item.id))
          case 2: edits.move(item.id, to: put.last.map { .after($0.id) } ?? .first)
          default:
            edits.replace(item.id, with: new)
            gone.insert(item.id)
            put.append(new)
          }
        }
      }
      let difference = try #require(await iterator.next())
      for step in difference.steps {
        switch step {
        case .inserted(let range):
          mirror.insert(contentsOf: difference.items[range], at: range.lowerBound)
        case .removed(let range): mirror.removeSubrange(range)
        case .moved, .reordered: Issue.record("\(step), seed \(seed)")
        }
      }
      #expect(mirror.elementsEqual(playlist.items), "seed \(seed)")
    }
  }

  @Test func `several edits of what is heard and what follows are one start`() throws {
    let playback = EditedPlayback()
    let ramps = (1...4).map { RampItem(number: $0, length: 5_000, kind: .told) }
    try playback.apply(.append(Array(ramps[..<3])))
    try playback.apply(.play)
    try playback.pull(100)
    let queue = playback.player.playlist.queue
    let before = queue.snapshot
    try playback.apply(
      .several([.replace(0, ramps[3]), .move(2, place: 2), .remove(2)]))
    let after = queue.snapshot
    #expect(after.generation == before.generation + 1)
    #expect(after.serialNumber == before.serialNumber + 1)
    try playback.pull(20_000)
  }
}
