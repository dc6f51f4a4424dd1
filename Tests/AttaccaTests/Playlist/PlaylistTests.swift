// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Testing

@Suite struct PlaylistTests {
  private func filled(_ count: Int) -> (playlist: Playlist, items: [PlaylistItem]) {
    let items = (0..<count).map { PlaylistItem(path: "\($0).wav") }
    let playlist = Playlist()
    playlist.append(contentsOf: items)
    return (playlist, items)
  }

  @Test func `every edit does what it says`() throws {
    let (playlist, items) = filled(5)
    let new = (0..<4).map { PlaylistItem(path: "new \($0)") }
    playlist.insert(new[0], at: 0)
    try playlist.insert(new[1], after: items[1].id)
    #expect(playlist.items.elementsEqual([new[0]] + items[0...1] + [new[1]] + items[2...4]))
    #expect(try playlist.remove(items[0].id).identities == [items[0].id])
    #expect(playlist.remove(at: 0).identities == [new[0].id])
    playlist.move(from: 0, to: 4)
    #expect(playlist.items.elementsEqual([new[1]] + items[2...4] + [items[1]]))
    #expect(playlist.replace(at: 1, with: new[2]).identities == [items[2].id, new[2].id])
    playlist.append(new[3])
    #expect(
      playlist.items.elementsEqual([new[1], new[2], items[3], items[4], items[1], new[3]]))
    #expect(playlist.index(of: items[4].id) == 3 && !playlist.contains(items[0].id))
    playlist.replaceAll(with: [items[0]])
    #expect(playlist.items.elementsEqual([items[0]]))
    playlist.insert(contentsOf: items[1...4], at: 0)
    #expect(playlist.items.elementsEqual(items[1...4] + [items[0]]))
    #expect(playlist.remove(1..<4).identities == items[2...4].map(\.id))
    #expect(playlist.items.elementsEqual([items[1], items[0]]))
    #expect(playlist.clear().identities == [items[1].id, items[0].id])
    #expect(playlist.count == 0)
  }

  @Test func `a moved item is where it was to be, and the others keep their order`() {
    for source in 0..<5 {
      for destination in 0..<5 {
        var (playlist, items) = filled(5)
        playlist.move(from: source, to: destination)
        items.insert(items.remove(at: source), at: destination)
        #expect(playlist.items.elementsEqual(items))
      }
    }
  }

  @Test func `an identity that is gone is an error and changes nothing`() {
    let (playlist, items) = filled(3)
    playlist.remove(at: 1)
    let before = playlist.queue.snapshot
    #expect(throws: PlaylistError(id: items[1].id, call: "remove")) {
      try playlist.remove(items[1].id)
    }
    #expect(throws: PlaylistError(id: items[1].id, call: "insert")) {
      try playlist.insert(PlaylistItem(path: ""), after: items[1].id)
    }
    #expect(
      playlist.items.elementsEqual(before.items)
        && playlist.queue.snapshot.serialNumber == before.serialNumber)
    #expect(
      PlaylistError(id: items[1].id, call: "remove").description
        == "remove: item \(items[1].id) is not in the playlist")
  }

  @Test func `a snapshot does not see later edits`() {
    let (playlist, items) = filled(100)
    let snapshot = playlist.items
    for _ in 0..<50 { playlist.remove(at: 10) }
    #expect(snapshot.elementsEqual(items))
    #expect(items.indices.allSatisfy { snapshot.index(of: items[$0].id) == $0 })
  }

  @Test func `edits of two threads end in one order that both keep`() {
    let playlist = Playlist()
    let own = (0..<2).map { thread in
      (0..<1_000).map { PlaylistItem(path: "\(thread) \($0)") }
    }
    onThreads(2) { thread in
      for (i, item) in own[thread].enumerated() {
        playlist.append(item)
        // Every third one goes again, by identity: the other thread moves its index.
        if i % 3 == 2 {
          #expect(throws: Never.self) { try playlist.remove(own[thread][i - 1].id) }
        }
      }
    }
    for items in own {
      let expected = items.indices.filter { $0 % 3 != 1 || $0 + 1 >= items.count }.map { items[$0] }
      let present = Set(items)
      #expect(playlist.items.filter(present.contains).elementsEqual(expected))
    }
    #expect(playlist.queue.snapshot.serialNumber == 2_000 + 2 * 333)
  }

  // MARK: Preconditions

  @Test func `inserting past the end traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Playlist().insert(PlaylistItem(path: ""), at: 1)
    }
    #expect(end.says("an insertion at 1; 0...0 are permitted"))
  }

  @Test func `removing from an empty playlist traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Playlist().remove(at: 0)
    }
    #expect(end.says("a removal at 0; 0..<0 are permitted"))
  }

  @Test func `inserting an item twice traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (playlist, item) = (Playlist(), PlaylistItem(path: ""))
      playlist.append(item)
      playlist.insert(item, at: 0)
    }
    #expect(end.says("item #"))
  }

  @Test func `appending an item twice traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (playlist, item) = (Playlist(), PlaylistItem(path: ""))
      playlist.append(item)
      playlist.append(item)
    }
    #expect(end.says("item #"))
  }

  @Test func `appending items that are there already traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (playlist, item) = (Playlist(), PlaylistItem(path: ""))
      playlist.append(item)
      playlist.append(contentsOf: [PlaylistItem(path: ""), item])
    }
    #expect(end.says("an item is in the playlist already"))
  }

  @Test func `inserting an item twice by identity traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (playlist, item) = (Playlist(), PlaylistItem(path: ""))
      playlist.append(item)
      try playlist.insert(item, after: item.id)
    }
    #expect(end.says("item #"))
  }

  @Test func `an index past the end traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Playlist()[0]
    }
    #expect(end.says("the item at 0; 0..<0 are permitted"))
  }
}
