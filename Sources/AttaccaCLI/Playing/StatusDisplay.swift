// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Draws the status line on the terminal, at most so often as it is told to and only when it changes.
///
/// Everything runs on the session's queue.
final class StatusDisplay: @unchecked Sendable {
  // @unchecked: touched only on `queue`.
  private let queue: DispatchQueue
  /// nil where nothing may be drawn.
  private let compose: () -> StatusLine?
  private var drawn = ""
  private var lastDraw = DispatchTime(uptimeNanoseconds: 0)
  private var isWaiting = false

  /// Nanoseconds from one drawing to the next, at least.
  private let interval: UInt64
  private static let keyDelay = 30_000_000 as UInt64  // nanoseconds

  init(queue: DispatchQueue, milliseconds: UInt64, compose: @escaping () -> StatusLine?) {
    (self.queue, self.compose, interval) = (queue, compose, milliseconds * 1_000_000)
  }

  /// Shows what is so now, soon.
  func update() {
    let now = DispatchTime.now()
    let passed = now.uptimeNanoseconds &- lastDraw.uptimeNanoseconds
    // A terminal that stands still is not sent more.
    guard passed >= interval, TextOutput.standard.isIdle else {
      guard !isWaiting else { return }
      return wait(for: interval - min(passed, interval) + 1_000_000)
    }
    // The last column is left free: some terminals go to the next line from there.
    guard let text = compose()?.text(columns: TextOutput.standard.columns - 1), text != drawn
    else { return }
    (drawn, lastDraw) = (text, now)
    TextOutput.standard.write("\r\(text)\u{1B}[K")
  }

  /// Shows what has become of a key: a seek is heard by then, and the drawing is not in its way.
  func updateAfterKey() {
    guard !isWaiting else { return }
    wait(for: Self.keyDelay)
  }

  private func wait(for nanoseconds: UInt64) {
    isWaiting = true
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in
      guard let self, self.isWaiting else { return }
      self.isWaiting = false
      self.update()
    }
  }

  /// Takes the line away; `update` shows it again.
  func clear() {
    isWaiting = false
    guard !drawn.isEmpty else { return }
    drawn = ""
    TextOutput.standard.write("\r\u{1B}[K")
  }
}
