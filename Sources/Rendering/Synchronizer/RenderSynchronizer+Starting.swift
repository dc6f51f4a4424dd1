// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers

// Several renderers start at one host time, which each one's own clock turns into a frame.
extension RenderSynchronizer {
  /// A start waits for content for so long, in seconds: as long as a file that hangs is waited for.
  public static let longestDelay = AudioRenderer.longestWait

  /// Nanoseconds from the decision to the first frame: a device that was silent knows its clock by
  /// then.
  private static let lead: UInt64 = 500_000_000

  /// Holds all at `time`, or where they are, until each has enough to start with.
  func startTogether(_ renderers: [AudioRenderer], at time: RationalTime?, fade: Fade) {
    changing.assertHeld()
    let time = time ?? RationalTime(currentTime())
    for renderer in renderers {
      renderer.perform(.hold(at: time, fade: fade.frames(at: renderer.format.sampleRate)))
    }
    wait(for: renderers, time: time, fade: fade)
  }

  /// Has `renderers` start where the others are by then, as soon as they have enough; with those that
  /// wait already, if any do.
  func join(_ renderers: [AudioRenderer]) {
    changing.assertHeld()
    let time = RationalTime(currentTime())
    for renderer in renderers { renderer.perform(.hold(at: time, fade: 0)) }
    wait(for: renderers, time: nil, fade: .none)
  }

  private func wait(for renderers: [AudioRenderer], time: RationalTime?, fade: Fade) {
    let number = semaphore.withLock { starts.wait(for: renderers, time: time, fade: fade) }
    for renderer in renderers {
      renderer.output.withLock {
        renderer.wanted.speed.forgetSteering()
        renderer.callbacks.primed = { [weak self] in
          renderersQueue.async { [self] in self?.startIfReady() }
        }
      }
    }
    renderersQueue.async { [weak self] in self?.startIfReady() }
    renderersQueue.asyncAfter(deadline: .now() + Self.longestDelay) { [weak self] in
      self?.startIfReady(overdue: number)
    }
  }

  /// Starts what waits, if all of it has enough, or if it is the start of number `overdue`.
  func startIfReady(overdue: Int? = nil) {
    changing.wait()
    defer { changing.signal() }
    guard let start = semaphore.withLock({ starts.waiting }) else { return }
    let number = start.number
    guard
      number == overdue
        || start.renderers.allSatisfy(\.hasSufficientMediaDataForReliablePlaybackStart)
    else { return }
    guard semaphore.withLock({ starts.take(number) }) else { return }
    let hostTime = HostTime.now() + Self.lead
    for renderer in start.renderers {
      schedule(
        renderer, at: hostTime, ticks: ticks(of: start, atHostTime: hostTime), fade: start.fade)
    }
  }

  private func ticks(of start: WaitingStart, atHostTime hostTime: UInt64) -> Int64 {
    if let time = start.time { return MediaTicks.ticks(time) }
    let reading = self.reading()
    return reading.mediaTicks
      + Int64(reading.rate * Double(MediaTicks.perSecond) * Double(Self.lead) / 1e9)
  }
}
