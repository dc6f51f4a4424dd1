// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Glibc
import Synchronization

/// Watches over one rendering: reports failures and progress, and takes signals.
final class RenderingWatch: @unchecked Sendable {
  // @unchecked: what is mutable is touched only on `queue`, but for `frames` and `lastDraw`, which
  // belong to the thread that renders.
  private let source: any RenderingSource
  private let file: PartialFile
  private let queue = DispatchQueue(label: "attacca.rendering")
  private let interrupted = Atomic<Bool>(false)
  private let signals: SignalSources
  private var failed = 0
  private var failureLines = FailureLines()
  /// Frames have come since something failed: what fails next is another row.
  private let hasRendered = Atomic<Bool>(false)

  private let begun = DispatchTime.now()
  private var lastDraw = DispatchTime.now()
  private var frames: Int64 = 0

  private static let interval = 250_000_000 as UInt64  // nanoseconds

  /// Watches over what `source` renders into `file`.
  init(source: any RenderingSource, file: PartialFile) {
    (self.source, self.file) = (source, file)
    signals = SignalSources(queue: queue)
    // It may be gone when the last signal comes.
    signals.on(SIGINT, SIGTERM, SIGHUP, SIGQUIT) { [weak self] in self?.interrupt() }
  }

  /// True once a signal has asked for the end.
  var isInterrupted: Bool { interrupted.load(ordering: .relaxed) }

  private func interrupt() {
    if isInterrupted {
      file.remove()
      _exit(ExitStatus.signalled.rawValue)
    }
    interrupted.store(true, ordering: .relaxed)
    source.cancel()
  }

  /// Reports what failed, `count` items; any thread.
  func failed(_ texts: [String], count: Int) {
    let isOtherRow = hasRendered.exchange(false, ordering: .relaxed)
    queue.async { [self] in
      failed += count
      if isOtherRow, let line = failureLines.end() { report(line) }
      for line in failureLines.add(texts, count: count) { report(line) }
    }
  }

  private func report(_ text: String) {
    let erase = TextOutput.errors.isTerminal ? "\r\u{1B}[K" : ""
    TextOutput.errors.write(erase + "\(text)\n".withoutControls)
  }

  /// Counts frames, and shows how far it is; on the rendering thread.
  func rendered(frames count: Int, rate: Int) {
    frames += Int64(count)
    if !hasRendered.load(ordering: .relaxed) { hasRendered.store(true, ordering: .relaxed) }
    let now = DispatchTime.now()
    guard TextOutput.errors.isTerminal, TextOutput.errors.isIdle,
      now.uptimeNanoseconds - lastDraw.uptimeNanoseconds >= Self.interval
    else { return }
    lastDraw = now
    let item = source.place.map { ", \($0.index + 1) of \($0.count)" } ?? ""
    TextOutput.errors.write("\r\(progress(rate: rate, at: now))\(item)\u{1B}[K")
  }

  /// "12:03 rendered, 310 times as fast as played".
  private func progress(rate: Int, at now: DispatchTime) -> String {
    let seconds = Double(now.uptimeNanoseconds - begun.uptimeNanoseconds) / 1e9
    let length = Double(frames) / Double(rate)
    let speed = Int((length / max(seconds, 1e-3)).rounded())
    return "\(ClockText.short(seconds: Int(length))) rendered, \(speed) times real time"
  }

  /// The last word on the progress.
  ///
  /// - Returns: how many items failed.
  func finish(rate: Int) -> Int {
    if TextOutput.errors.isTerminal {
      TextOutput.errors.write("\r\(progress(rate: rate, at: .now()))\u{1B}[K\n")
    }
    return queue.sync {
      if let line = failureLines.end() { report(line) }
      return failed
    }
  }
}
