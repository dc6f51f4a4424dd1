// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Testing

@Suite struct EditMemoryTests {
  @Test func `a list that has nearly everything in common with the next one is freed at once`() {
    let playlist = Playlist()
    playlist.append(contentsOf: (0..<10_000).map { PlaylistItem(path: "\($0)") })
    var left = 0
    for i in 0..<500 {
      weak let old = playlist.items.tree.root
      playlist.insert(PlaylistItem(path: "new"), at: i * 7)
      if old != nil { left += 1 }
      weak let older = playlist.items.tree.root
      playlist.move(from: i, to: 9_000 - i)
      if older != nil { left += 1 }
    }
    #expect(left == 0)
  }
}
