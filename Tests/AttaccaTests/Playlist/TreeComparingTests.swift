// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import TestSeeds
import Testing

@Suite struct TreeComparingTests {
  @Test func `stretches of two trees are equal where their items are`() {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let items = (0..<Int.random(in: 1...60, using: &random)).map { PlaylistItem(path: "\($0)") }
      let tree = PlaylistTree(items)
      var (other, others) = (tree, items)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let index = Int.random(in: 0...others.count, using: &random)
        if index < others.count, Bool.random(using: &random) {
          others.remove(at: index)
          _ = other.remove(at: index)
        } else {
          let new = PlaylistItem(path: "new")
          others.insert(new, at: index)
          other.insert(new, at: index)
        }
      }
      for _ in 0..<40 {
        let low = Int.random(in: 0...items.count, using: &random)
        let high = Int.random(in: low...items.count, using: &random)
        let start = Int.random(in: 0...others.count, using: &random)
        let end = min(
          others.count, start + (Int.random(in: 0...3, using: &random) == 0 ? 1 : high - low))
        let isEqual = items[low..<high].elementsEqual(others[start..<end])
        #expect(tree.hasItems(low..<high, of: other, start..<end) == isEqual, "seed \(seed)")
      }
    }
  }
}
