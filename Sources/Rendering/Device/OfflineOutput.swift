// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers

/// An output without a clock: its time is what has been pulled.
final class OfflineOutput: AudioOutput, OutputPuller, @unchecked Sendable {
  private enum State {
    case stopped
    case running
    case stopping(after: StreamFrame)
  }

  let format: AudioFormat
  // @unchecked: everything mutable but the clock is touched only between wait and signal of `semaphore`.
  private let semaphore = OwnedSemaphore()
  private let pulledClock: PulledClock
  private var state = State.stopped
  private weak var events: (any AudioOutputEvents)?
  /// Signalled when a puller that found nothing should look again.
  private let content = DispatchSemaphore(value: 0)
  private(set) var isPullerWaiting = false
  /// The frames that a pause or a flush has left to be heard, from stream frame `fadeOutBegin` on:
  /// the line may have other content there by the time they are pulled.
  private var fadeOut: [Float] = []
  private var fadeOutBegin: StreamFrame = 0

  init(format: AudioFormat) {
    self.format = format
    pulledClock = PulledClock(rate: format.sampleRate)
  }

  func attach(_ events: any AudioOutputEvents) { self.events = events }

  var lock: any OutputLock { semaphore }
  var clock: any OutputClock { pulledClock }

  var traits: OutputTraits {
    // A second: long enough that decoder, converter and writer work in large pieces beside each
    // other, short enough to stay in the processor's cache for most of its way.
    OutputTraits(format: format, targetLength: Int64(format.sampleRate), puller: self)
  }

  /// The host time that frame 0 counts as heard at.
  var epoch: UInt64 { pulledClock.epoch }

  /// The frame that is pulled next.
  var position: StreamFrame { pulledClock.position }

  var reading: OutputReading {
    OutputReading(read: position, heard: position, rewriteDistance: 0)
  }

  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    semaphore.assertHeld()
    answer(OutputPosition(soonest: position, replaceable: position, safe: position))
  }

  func askWhetherUnderrun() {
    semaphore.assertHeld()
    events?.outputUnderran(read: position)
  }

  func isInTime(_ frame: StreamFrame) -> Bool { true }

  /// Keeps what fades out; of all else nothing is given ahead: `pull` renders what is due.
  func write(
    _ range: Range<StreamFrame>, of kind: OutputFrames,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    semaphore.assertHeld()
    guard case .fadeOut(let end) = kind else { return }
    let range = range.lowerBound..<end
    let channels = format.channelCount
    // A pause may follow another before anything is pulled.
    let kept = Int(range.lowerBound - fadeOutBegin) * channels
    if kept >= 0 && kept <= fadeOut.count {
      fadeOut.removeSubrange(kept...)
    } else {
      fadeOut.removeAll()
      fadeOutBegin = range.lowerBound
    }
    fadeOut += [Float](unsafeUninitializedCapacity: range.count * channels) { samples, count in
      if let base = samples.baseAddress { render(base, range.lowerBound, range.count) }
      count = range.count * channels
    }
  }

  /// Frames of the fade out that are due at `position`, at most `count`.
  private func takeFadeOut(_ target: UnsafeMutablePointer<Float>, count: Int) -> Int {
    let channels = format.channelCount
    let done = Int(position - fadeOutBegin) * channels
    guard done >= 0, done < fadeOut.count else { return 0 }
    let taken = min(count * channels, fadeOut.count - done)
    for i in 0..<taken { target[i] = fadeOut[done + i] }
    return taken / channels
  }

  func setTransport(_ transport: OutputTransport) {
    semaphore.assertHeld()
    switch transport {
    case .running: state = .running
    case .stopping(let frame):
      state = .stopping(after: frame)
      stopIfDue()
    }
    wakePuller()
  }

  func contentChanged() {
    semaphore.assertHeld()
    wakePuller()
  }

  func close() {}

  private func wakePuller() {
    guard isPullerWaiting else { return }
    isPullerWaiting = false
    content.signal()
  }

  private func stopIfDue() {
    guard case .stopping(let end) = state, position >= end else { return }
    state = .stopped
    events?.outputStopped()
  }

  /// Frames that can be pulled now of a line whose content ends at `end`.
  private func available(contentEnd end: StreamFrame) -> Int64 {
    switch state {
    case .stopped: 0
    case .running: max(0, end - position)
    case .stopping(let last): max(0, last - position)
    }
  }

  /// Renders up to `frames` frames into `target` through `render`, of a line whose content ends at
  /// `contentEnd()`, and moves on.
  ///
  /// - Returns: the frames rendered, 0 where nothing is there yet.
  func pull(
    frames: Int, into target: UnsafeMutablePointer<Float>, contentEnd: () -> StreamFrame,
    render: (_ target: UnsafeMutablePointer<Float>, _ frame: StreamFrame, _ count: Int) -> Void
  ) -> Int {
    withLock {
      let count = min(frames, Int(available(contentEnd: contentEnd())))
      if count > 0 {
        let taken = takeFadeOut(target, count: count)
        if taken < count {
          render(target + taken * format.channelCount, position + taken, count - taken)
        }
        pulledClock.position = position + count
      }
      stopIfDue()
      if count > 0 {
        events?.outputNeedsFrames()
        // Pulling is this clock's only motion: who waits for a time must look.
        events?.outputClockChanged()
      }
      return count
    }
  }

  /// Waits until pulling may find something, or `isOver()` (asked with the lock held) is true.
  func waitForContent(contentEnd: () -> StreamFrame, isOver: () -> Bool) {
    let mustWait = withLock {
      guard available(contentEnd: contentEnd()) == 0, !isOver() else { return false }
      isPullerWaiting = true
      return true
    }
    if mustWait { content.wait() }
  }
}
