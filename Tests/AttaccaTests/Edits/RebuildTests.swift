// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Foundation
import Synchronization
import Testing

/// Edits of whole lists while other threads edit them, too.
@Suite struct RebuildTests {
  /// Puts an item into a playlist and takes it out, until it is told to end.
  private final class Editor: Sendable {
    let isOver = Atomic<Bool>(false)
    let hasBegun = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)

    init(_ playlist: Playlist) {
      Thread {
        self.hasBegun.signal()
        while !self.isOver.load(ordering: .acquiring) {
          let item = PlaylistItem(path: "new")
          playlist.append(item)
          try! playlist.remove(item.id)
        }
        self.hasEnded.signal()
      }.start()
    }

    func end() {
      isOver.store(true, ordering: .releasing)
      hasEnded.wait()
    }
  }

  @Test func `a list is built anew twice at most, however many edits come between`() {
    let playlist = Playlist()
    playlist.append(contentsOf: (0..<100).map { PlaylistItem(path: "\($0)") })
    let editor = Editor(playlist)
    editor.hasBegun.wait()
    let most = 50
    var builds = 0
    playlist.queue.rebuild { state in
      builds += 1
      var looks = 0
      // Others edit meanwhile, if they may: the first time they do.
      while playlist.queue.snapshot.list.version == state.list.version, builds < most,
        builds == 1 || looks < 10_000
      {
        looks += 1
        sched_yield()
      }
      if builds == most { editor.end() }
    } _: { _, _ in
      []
    }
    if builds < most { editor.end() }
    #expect(builds == 2)
  }

  @Test func `lists that are shuffled, filled and cleared beside small edits keep every item`() {
    let playlist = Playlist()
    playlist.append(contentsOf: (0..<500).map { PlaylistItem(path: "\($0)") })
    let first = playlist.changes
    let editors = (0..<3).map { _ in Editor(playlist) }
    for editor in editors { editor.hasBegun.wait() }
    var identities: [[PlaylistItem.ID]] = []
    for seed in 0..<8 {
      let least = 500 + 100 * seed
      #expect(playlist.shuffle(seed: UInt64(seed)).identities.count >= least)
      let new = (0..<100).map { PlaylistItem(path: "\(seed) \($0)") }
      identities.append(playlist.append(contentsOf: new).identities)
      playlist.unshuffle()
    }
    for editor in editors { editor.end() }
    let items = playlist.items
    #expect(identities.allSatisfy { $0.allSatisfy { items.index(of: $0) != nil } })
    #expect(first.snapshot.allSatisfy { items.index(of: $0.id) != nil })
    playlist.clear()
    #expect(playlist.items.isEmpty)
  }
}
