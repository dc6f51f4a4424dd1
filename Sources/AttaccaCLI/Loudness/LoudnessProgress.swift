// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// Shows on a terminal how far a scan is, and takes signals; any thread.
final class LoudnessProgress: @unchecked Sendable {
  // @unchecked: what is mutable is touched only on `queue`.
  private let queue = DispatchQueue(label: "attacca.loudness")
  private let interrupted = Atomic<Bool>(false)
  private let signals: SignalSources
  private let fileCount: Int
  private let begun = DispatchTime.now()
  private var lastDraw = DispatchTime.now()
  private var (seconds, files) = (0.0, 0)
  private var isShown = false

  private static let interval = 250_000_000 as UInt64  // nanoseconds

  init(fileCount: Int) {
    self.fileCount = fileCount
    signals = SignalSources(queue: queue)
    signals.on(SIGINT, SIGTERM, SIGHUP) { [weak self] in self?.interrupt() }
  }

  /// True where a signal asked for the end.
  var isInterrupted: Bool { interrupted.load(ordering: .relaxed) }

  /// The first signal lets writers take their copies away; a second one does not wait for that.
  private func interrupt() {
    if interrupted.exchange(true, ordering: .relaxed) { _exit(ExitStatus.signalled.rawValue) }
  }

  /// Counts seconds of sound; false where the scan is to end.
  func measured(_ seconds: Double) -> Bool {
    queue.async { [self] in
      self.seconds += seconds
      draw()
    }
    return !isInterrupted
  }

  /// Counts a file.
  func finishedFile() {
    queue.async { [self] in files += 1 }
  }

  private func draw() {
    let now = DispatchTime.now()
    guard TextOutput.errors.isTerminal, TextOutput.errors.isIdle,
      now.uptimeNanoseconds - lastDraw.uptimeNanoseconds >= Self.interval
    else { return }
    (lastDraw, isShown) = (now, true)
    let wall = Double(now.uptimeNanoseconds - begun.uptimeNanoseconds) / 1e9
    let speed = Int((seconds / max(wall, 1e-3)).rounded())
    let clock = ClockText.short(seconds: Int(seconds))
    TextOutput.errors.write(
      "\r\(files) of \(fileCount) files, \(clock) measured, \(speed) times real time\u{1B}[K")
  }

  /// Takes what is shown away, for another line.
  func clear() {
    queue.sync {
      guard isShown else { return }
      isShown = false
      TextOutput.errors.write("\r\u{1B}[K")
      TextOutput.errors.flush()
    }
  }

  /// Nothing follows.
  func end() { clear() }
}
