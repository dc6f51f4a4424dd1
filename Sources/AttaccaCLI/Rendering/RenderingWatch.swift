// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Glibc
import Synchronization

/// Watches over one rendering: reports failures and progress, and takes signals.
final class RenderingWatch: @unchecked Sendable {
  // @unchecked: what is mutable is touched only on `queue`, but for `frames` and `lastDraw`, which
  // belong to the thread that renders.
  private let player: SampleBufferPlayer
  private let queue = DispatchQueue(label: "attacca.rendering")
  private let hasEnded = DispatchSemaphore(value: 0)
  private let interrupted = Atomic<Bool>(false)
  private let signals: SignalSources
  private var events: EventObservation<PlaybackEvent>?
  private var failed = 0

  private let begun = DispatchTime.now()
  private var lastDraw = DispatchTime.now()
  private var frames: Int64 = 0

  private static let interval = 250_000_000 as UInt64  // nanoseconds

  init(player: SampleBufferPlayer) {
    self.player = player
    signals = SignalSources(queue: queue)
    events = player.events.observe(on: queue) { [self] in note($0) }
    signals.on(SIGINT, SIGTERM, SIGHUP) { [unowned self] in interrupt() }
  }

  /// Whether a signal asked for the end.
  var isInterrupted: Bool { interrupted.load(ordering: .relaxed) }

  private func interrupt() {
    if isInterrupted { _exit(ExitStatus.signalled.rawValue) }
    interrupted.store(true, ordering: .relaxed)
    // Lets go of a thread that waits for frames.
    player.renderer.finishEnqueuing()
  }

  private func note(_ event: PlaybackEvent) {
    switch event {
    case .itemsDidFail(let failures):
      failed += failures.count
      for failure in failures { report("\(failure)") }
    case .failed(let error):
      failed += 1
      report("attacca: \(error)")
      close()
    case .endOfQueue: close()
    default: break
    }
  }

  private func close() {
    // Where nothing could be played the renderer has not been told that nothing follows.
    player.renderer.finishEnqueuing()
    hasEnded.signal()
  }

  private func report(_ text: String) {
    let erase = TextOutput.errors.isTerminal ? "\r\u{1B}[K" : ""
    TextOutput.errors.write(erase + "\(text)\n".withoutControls)
  }

  /// Counts frames, and shows how far it is; on the rendering thread.
  func rendered(frames count: Int, rate: Int) {
    frames += Int64(count)
    let now = DispatchTime.now()
    guard TextOutput.errors.isTerminal, TextOutput.errors.isIdle,
      now.uptimeNanoseconds - lastDraw.uptimeNanoseconds >= Self.interval
    else { return }
    lastDraw = now
    let item = player.currentItemIndex.map { ", \($0 + 1) of \(player.playlist.count)" } ?? ""
    TextOutput.errors.write("\r\(progress(rate: rate, at: now))\(item)\u{1B}[K")
  }

  /// "12:03 rendered, 310 times as fast as played".
  private func progress(rate: Int, at now: DispatchTime) -> String {
    let seconds = Double(now.uptimeNanoseconds - begun.uptimeNanoseconds) / 1e9
    let length = Double(frames) / Double(rate)
    let speed = Int((length / max(seconds, 1e-3)).rounded())
    return "\(ClockText.short(seconds: Int(length))) rendered, \(speed) times real time"
  }

  /// Takes leave of the player once all that happened has been reported.
  ///
  /// - Returns: how many items failed.
  func finish(rate: Int, isWhole: Bool) -> Int {
    // The end of the queue follows the last frame at once.
    if isWhole && !isInterrupted { _ = hasEnded.wait(timeout: .now() + 5) }
    events?.cancel()
    player.stop()
    if TextOutput.errors.isTerminal {
      TextOutput.errors.write("\r\(progress(rate: rate, at: .now()))\u{1B}[K\n")
    }
    return queue.sync { failed }
  }
}
