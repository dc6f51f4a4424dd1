// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The block that is called when a renderer is ready for more, and whether that call is under way.
///
/// The block is called again only when it made progress or readiness came anew, so a producer that
/// has nothing to give is not spun.
struct MediaDataRequest {
  private enum State {
    case none
    case waiting
    case called(sinceEnqueued: Int)
  }

  private var state = State.none
  /// Readiness came anew while the block was running.
  private var cameReady = false
  private var call: (any DispatchSourceUserDataAdd)?
  /// Distinguishes a request from those that replaced it.
  private var number = 0

  /// Begins a request that is called through `call`: made once, so that no call allocates.
  ///
  /// - Returns: its number, for when a call has returned.
  @discardableResult
  mutating func begin(through call: any DispatchSourceUserDataAdd) -> Int {
    end()
    self.call = call
    state = .waiting
    return number
  }

  mutating func end() {
    call?.cancel()
    call = nil
    state = .none
    number += 1
  }

  /// The renderer is ready, `enqueued` buffers having been enqueued so far.
  ///
  /// - Returns: whether the block is called, which is not being called already.
  @discardableResult
  mutating func ready(enqueued: Int) -> Bool {
    guard case .waiting = state, let call else {
      cameReady = true
      return false
    }
    cameReady = false
    state = .called(sinceEnqueued: enqueued)
    call.add(data: 1)
    return true
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
