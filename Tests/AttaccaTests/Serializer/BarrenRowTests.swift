// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Testing

/// Rows of items that yield no frame.
@Suite struct BarrenRowTests {
  private func occurrence(_ item: PlaylistItem, _ pass: Int) -> Occurrence {
    Occurrence(id: item.id, pass: pass)
  }

  @Test func `a row comes round with its first item of another pass, and with nothing else`() {
    let (a, b) = (PlaylistItem(path: "a"), PlaylistItem(path: "b"))
    var row = DecodeAhead.BarrenRow(count: 0)
    func comesRound(with next: Occurrence?) -> Bool { row.comesRound(with: next) }
    #expect(!comesRound(with: occurrence(a, 1)))
    row.add(occurrence(a, 0))
    row.add(occurrence(b, 0))
    #expect(row.count == 2 && row.first == occurrence(a, 0))
    for other in [nil, occurrence(b, 1), occurrence(a, 0)] {
      #expect(!comesRound(with: other))
      #expect(!row.isRound)
    }
    #expect(comesRound(with: occurrence(a, 1)))
    #expect(row.isRound)
    // Where the list is another one by then, it does not.
    #expect(!comesRound(with: occurrence(b, 1)))
    #expect(!row.isRound)
  }

  @Test func `a frame ends a row`() {
    let a = PlaylistItem(path: "a")
    var row = DecodeAhead.BarrenRow(count: 0)
    row.add(occurrence(a, 0))
    row.end()
    #expect(row == DecodeAhead.BarrenRow(count: 0))
  }

  @Test func `steps go on by themselves in long rows whose first item is known`() {
    let a = PlaylistItem(path: "a")
    var row = DecodeAhead.BarrenRow(count: Followers.threshold)
    #expect(row.firstOfMany == nil)
    row.add(occurrence(a, 0))
    #expect(row.firstOfMany == occurrence(a, 0))
    row.restart(count: Followers.threshold - 1)
    row.add(occurrence(a, 0))
    #expect(row.firstOfMany == occurrence(a, 0))
    row.restart(count: 0)
    row.add(occurrence(a, 0))
    #expect((row.firstOfMany == nil) == (Followers.threshold > 1))
    row.add(Followers.threshold)
    #expect(row.firstOfMany == occurrence(a, 0))
  }
}
