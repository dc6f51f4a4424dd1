// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Who is to be called when a renderer is ready for more, and whether that call is under way.
///
/// The block is called again only when it made progress or readiness came anew, so a producer that
/// has nothing to give is not spun.
struct MediaDataRequest {
  typealias Block = @Sendable () -> Void

  private enum State {
    case none
    case waiting
    case called(sinceEnqueued: Int)
  }

  private var state = State.none
  /// Readiness came anew while the block was running.
  private var cameReady = false
  private var queue: DispatchQueue?
  private var block: Block?
  /// Distinguishes a request from those that replaced it.
  private(set) var number = 0

  mutating func begin(on queue: DispatchQueue, _ block: @escaping Block) {
    (self.queue, self.block) = (queue, block)
    state = .waiting
    number += 1
  }

  mutating func end() {
    (queue, block) = (nil, nil)
    state = .none
    number += 1
  }

  /// The renderer is ready, `enqueued` buffers having been enqueued so far.
  ///
  /// - Returns: what to call, if it is not being called already.
  mutating func ready(enqueued: Int) -> (queue: DispatchQueue, block: Block, number: Int)? {
    guard case .waiting = state, let queue, let block else {
      cameReady = true
      return nil
    }
    cameReady = false
    state = .called(sinceEnqueued: enqueued)
    return (queue, block, number)
  }

  /// The block of request `number` has returned.
  ///
  /// - Returns: whether it enqueued something, and may be called again at once.
  mutating func returned(number: Int, enqueued: Int) -> Bool {
    guard number == self.number, case .called(let before) = state else { return false }
    state = .waiting
    return enqueued != before || cameReady
  }
}
