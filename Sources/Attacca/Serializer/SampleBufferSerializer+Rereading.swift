// SPDX-License-Identifier: Apache-2.0

import Dispatch

extension SampleBufferSerializer {
  /// Has what is not heard yet read again; any thread.
  func readAgain() { queue.async { [weak self] in self?.readUnheardAgain() } }

  /// The same; on the serialization queue.
  func readUnheardAgain() {
    // What is on its way has to arrive first.
    guard spliceInFlight == nil else {
      mustReadAgain = true
      return
    }
    let plan = shared.snapshot
    // A newer start reads everything anew.
    guard plan.generation == generation, let current = plan.current else { return }
    if let preparedSplice {
      preparing.letGo()
      self.preparedSplice = nil
      if preparedSplice.joint == nil, let first = preparedSplice.content.begun.first {
        return restart(first.range, preparedSplice.content.order)
      }
    }
    // What a flush has discarded, or another rate has made stale, is read again by `refill`.
    guard playing != nil, !isDiscarded, plan.isReversed == isToReverse else { return refill() }
    let heard = hearing?.0
    restartAtPlayhead(
      plan.order, heard?.generation == generation ? heard?.occurrence ?? current : current,
      fade: .standard)
  }
}
