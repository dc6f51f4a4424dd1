// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import MediaTime
import Testing

@Suite struct PendingOutcomeTests {
  private let item: OpenItem

  init() throws {
    let item = PlaylistItem(path: "a")
    let passage = Passage(occurrence: Occurrence(id: item.id, pass: 0))
    self.item = try OpenItem(item, passage, at: .firstFrame(at: .zero)) { _ in
      HangingSource(gate: DispatchSemaphore(value: 1))
    }
  }

  private var frames: DecodeStep.Outcome {
    .buffer(buffer([1, 2, 3], atFrame: 0), item, began: true)
  }

  @Test func `a buffer that nobody waits for lies there untold, and is taken once`() {
    let pending = PendingOutcome(isUrgent: false)
    #expect(!pending.isThere)
    #expect(!pending.put(frames))
    #expect(pending.isThere)
    #expect(pending.take() != nil)
    #expect(pending.take() == nil)
  }

  @Test func `a buffer that is waited for is told of`() {
    #expect(PendingOutcome(isUrgent: true).put(frames))
    let pending = PendingOutcome(isUrgent: false)
    #expect(!pending.hurry())
    #expect(pending.put(frames))
  }

  @Test func `whoever hurries learns that the buffer lies there already`() {
    let pending = PendingOutcome(isUrgent: false)
    _ = pending.put(frames)
    #expect(pending.hurry())
  }

  @Test func `an end of file is told of at once`() {
    #expect(PendingOutcome(isUrgent: false).put(.ended(item, began: false)))
  }
}
