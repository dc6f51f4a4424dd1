// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import MediaTime
@testable import PulseDevice
@testable import Rendering
import Testing

@Suite struct PendingOutcomeTests {
  private let item: OpenItem

  init() throws {
    let item = PlaylistItem(path: "a")
    let range = PlayedRange(occurrence: Occurrence(id: item.id, pass: 0))
    self.item = try OpenItem(
      item, range, at: .firstFrame(at: .zero),
      source: HangingSource(gate: DispatchSemaphore(value: 1))
    ) { try $0.makeSource(pool: FramePool()) }
  }

  private var frames: DecodeStep.Outcome {
    .buffer(buffer([1, 2, 3], atFrame: 0), item, began: true)
  }

  private func pending(isUrgent: Bool) -> PendingOutcome {
    let pending = PendingOutcome()
    pending.expect(isUrgent: isUrgent)
    return pending
  }

  @Test func `a buffer that nobody waits for lies there untold, and is taken once`() {
    let pending = pending(isUrgent: false)
    #expect(!pending.isThere)
    #expect(!pending.put(frames))
    #expect(pending.isThere)
    #expect(pending.take() != nil)
    #expect(pending.take() == nil)
  }

  @Test func `a buffer that is waited for is told of`() {
    #expect(pending(isUrgent: true).put(frames))
    let pending = pending(isUrgent: false)
    #expect(!pending.hurry())
    #expect(pending.put(frames))
  }

  @Test func `whoever hurries learns that the buffer lies there already`() {
    let pending = pending(isUrgent: false)
    _ = pending.put(frames)
    #expect(pending.hurry())
  }

  @Test func `an end of file is told of at once`() {
    #expect(pending(isUrgent: false).put(.ended(item, began: false)))
  }

  @Test func `nothing of a step is left when the next one is expected`() {
    let pending = pending(isUrgent: true)
    _ = pending.put(frames)
    pending.expect(isUrgent: false)
    #expect(!pending.isThere)
    #expect(!pending.put(frames))
  }
}
