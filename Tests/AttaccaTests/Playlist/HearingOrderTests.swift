// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import Synchronization
import Testing

/// What is heard is asked for at one moment, and what is to be played looked at in another.
@Suite struct HearingOrderTests {
  private let items = (0..<4).map { PlaylistItem(path: "\($0)") }

  private func hearing(_ index: Int, generation: Int) -> HeardPosition {
    HeardPosition(
      occurrence: Occurrence(id: items[index].id, pass: 0), offset: .zero, generation: generation,
      place: index + 1)
  }

  @Test func `next leaves the item that has become current meanwhile`() {
    let queue = SharedQueue()
    let isArmed = Atomic<Bool>(false)
    queue.attach(
      hearing: { [self, unowned queue] in
        guard isArmed.exchange(false, ordering: .relaxed) else { return nil }
        let generation = queue.snapshot.generation
        // By the time that it is made use of, the next one is heard.
        queue.update { $0.hear(hearing(1, generation: generation)) }
        return hearing(0, generation: generation)
      }, changed: {})
    queue.edit { state, _ in
      state.restart(with: PlaylistItems(items).tree, at: 0, offset: .zero)
      return []
    }
    isArmed.store(true, ordering: .relaxed)
    queue.edit { state, _ in
      state.skip()
      return []
    }
    #expect(queue.snapshot.current?.id == items[2].id)
  }

  @Test func `what is certain to be heard is not taken back by what is heard until then`() {
    var state = QueueState()
    state.restart(with: PlaylistItems(items).tree, at: 0, offset: .zero)
    state.hear(hearing(0, generation: state.generation))
    // It is out of reach, and will be heard.
    state.hear(hearing(1, generation: state.generation))
    state.hear(hearing(0, generation: state.generation))
    #expect(state.current?.id == items[1].id)
    state.hear(hearing(2, generation: state.generation))
    #expect(state.current?.id == items[2].id)
  }
}
