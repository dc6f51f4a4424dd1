// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

extension AudioRenderer {
  /// Frames that are heard from now on, with their media time: told every 20 ms, 50 ms after they were
  /// heard, or as they are pulled from an `OfflineRenderer`.
  ///
  /// Each caller has its own sequence. Frames come as the device was given them, after the last edit, each
  /// once and in order; where nothing is played nothing comes. A reader that falls 10 s behind is ended,
  /// so that it notices (`EventSequence.end`). Nothing is recorded before the first call, nor once every
  /// reader is gone; while there is one, this process wakes 50 times a second as it plays.
  ///
  /// The frames are those that were heard, other than those of an `MTAudioProcessingTap`, which may be.
  public func tap() -> EventSequence<TappedAudio> {
    output.withLock {
      let tap = attachedTap ?? makeTap()
      attachedTap = tap
      return tap.listeners.subscribe()
    }
  }

  private func makeTap() -> AudioTap {
    let tap = AudioTap(
      format: output.format, length: output.traits.targetLength, isPulled: output.isPulled
    ) { [weak self] in self?.tellTap() }
    let heard = max(output.heardFrame, line.ring.begin)
    if line.transport == .running, heard < line.written {
      tap.recorder.record(heard..<line.written, of: line)
      tap.tick()
    }
    return tap
  }

  /// The output is given frames `range` of the line, and nothing of what it had from there on is heard.
  ///
  /// With the output's lock held.
  func record(_ range: Range<StreamFrame>) {
    assertLocked()
    guard let tap = attachedTap else { return }
    tap.recorder.record(range, of: line)
    tap.tick()
  }

  /// There is a device of another format, whose frames count from 0; the old one has played up to `end`.
  ///
  /// With the output's lock held.
  func tapDevice(after end: StreamFrame) {
    assertLocked()
    guard let old = attachedTap else { return }
    // The clock is the new device's by now.
    old.tell(before: end) { _ in nil }
    attachedTap = AudioTap(
      format: output.format, length: output.traits.targetLength, isPulled: output.isPulled,
      listeners: old.listeners
    ) { [weak self] in self?.tellTap() }
  }

  /// Tells what has been heard since the last time.
  func tellTap() {
    output.withLock {
      guard let tap = attachedTap else { return }
      guard tap.listeners.hasSubscribers else {
        attachedTap = nil
        return
      }
      tap.tell(before: output.tellableFrame, at: output.clock.hostTime(ofFrame:))
      if tap.recorder.isEmpty, line.transport != .running { tap.rest() }
    }
  }
}
