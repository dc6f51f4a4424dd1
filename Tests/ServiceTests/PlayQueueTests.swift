// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestSeeds
import Testing

@testable import AttaccaService

struct PlayQueueTests {
  private func songs(_ names: some Sequence<Int>) -> [(song: Song, item: PlaylistItem)] {
    names.map { (Song(uri: "\($0)"), PlaylistItem(path: "\($0)")) }
  }

  private func uris(_ queue: PlayQueue) -> [String] { queue.slots.map(\.song.uri) }

  @Test func `clients learn what has changed since a version`() {
    var queue = PlayQueue()
    let ids = queue.insert(songs(0..<5), at: 0)
    #expect(ids == [1, 2, 3, 4, 5])
    queue.commit()
    #expect(queue.changes(since: 1) == [0, 1, 2, 3, 4])
    #expect(queue.changes(since: 2) == [])
    queue.move(1..<2, to: 3)
    queue.commit()
    #expect(uris(queue) == ["0", "2", "3", "1", "4"])
    #expect(queue.changes(since: 2) == [1, 2, 3])
    _ = queue.remove(3..<4)
    queue.commit()
    #expect(queue.changes(since: 3) == [3])
    #expect(queue.position(of: 2) == nil)
    #expect(queue.position(of: 5) == 3)
    #expect(queue.changes(since: 99) == [0, 1, 2, 3])
  }

  @Test func `a client that applies the changes has the same queue`() {
    var random = SplitMix64(seed: 17)
    var queue = PlayQueue()
    var known: (version: UInt32, ids: [Int]) = (0, [])
    for turn in 0..<2_000 {
      let count = queue.count
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let place = Int.random(in: 0...count, using: &random)
        _ = queue.insert(songs(turn..<turn + 3), at: place)
      case 2 where count > 3:
        let place = Int.random(in: 0..<count - 2, using: &random)
        _ = queue.remove(place..<place + 2)
      case 3 where count > 3:
        let place = Int.random(in: 0..<count - 2, using: &random)
        queue.move(place..<place + 2, to: Int.random(in: 0...count - 2, using: &random))
      case 4 where count > 1: queue.swap(0, count - 1)
      default: queue.shuffle(0..<count, using: &random)
      }
      queue.commit()
      guard turn % 7 == 0 else { continue }
      var ids = Array(known.ids.prefix(queue.count))
      for position in queue.changes(since: known.version) {
        if position < ids.count {
          ids[position] = queue[position].id
        } else {
          ids.append(queue[position].id)
        }
      }
      #expect(ids == queue.slots.map(\.id))
      known = (queue.version, ids)
    }
  }
}
