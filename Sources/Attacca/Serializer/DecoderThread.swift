// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SampleBuffers

/// The thread that opens and reads files.
///
/// Started by a serializer, which hands it one step after the other; it decodes, and does nothing
/// else. Where steps and what comes of them lie lasts as long as the thread: playing on allocates
/// nothing.
///
/// A C library may hang in a step for ever. The thread is then given up: its owner lets go of it and
/// starts another, and should the step ever return, this one ends.
final class DecoderThread: @unchecked Sendable {
  /// Outcome of the step that was handed over last.
  let pending = PendingOutcome()
  // @unchecked: `step` and `isOver` are touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private let wake = DispatchSemaphore(value: 0)
  /// Handed over, and not begun.
  private var step: DecodeStep?
  private var isOver = false
  private let open: DecoderWatchdog.Opener
  private let ahead: OpeningAhead
  /// Tells whether the serializer has something else to do than to find an item that can be opened.
  private let isAwaited: @Sendable () -> Bool
  private let arrivals: any DispatchSourceUserDataAdd

  /// A thread that opens files with `open` where they are not open `ahead` of it, and tells `arrivals`
  /// of the outcomes that are waited for.
  init(
    open: @escaping DecoderWatchdog.Opener, ahead: OpeningAhead,
    arrivals: any DispatchSourceUserDataAdd,
    isAwaited: @escaping @Sendable () -> Bool
  ) {
    (self.open, self.ahead, self.arrivals) = (open, ahead, arrivals)
    self.isAwaited = isAwaited
    // libvorbis keeps whole blocks of samples on the stack; 1 MiB is an eighth of the default.
    NamedThread.start("attacca-decode", stackSize: 1 << 20) { [self] in run() }
  }

  /// Has a step carried out, once the one before is.
  func perform(_ step: DecodeStep, isUrgent: Bool) {
    pending.expect(isUrgent: isUrgent)
    semaphore.wait()
    self.step = step
    semaphore.signal()
    wake.signal()
  }

  /// Ends the thread after the step under way; one that has not begun is dropped.
  ///
  /// - Returns: whether all steps have begun, and the last one's outcome may come.
  @discardableResult
  func end() -> Bool {
    semaphore.wait()
    let hasBegun = step == nil
    (isOver, step) = (true, nil)
    semaphore.signal()
    wake.signal()
    return hasBegun
  }

  private func run() {
    while true {
      wake.wait()
      semaphore.wait()
      let step = self.step.take()
      let isOver = self.isOver
      semaphore.signal()
      if isOver { return }
      guard let step else { continue }
      let outcome = step.run(
        in: pending, isAwaited: { isAwaited() || hasEnded }, ahead: ahead, open: open)
      if pending.put(outcome) { arrivals.add(data: 1) }
    }
  }

  private var hasEnded: Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    return isOver
  }
}
