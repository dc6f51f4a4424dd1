// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

extension AudioBus {
  /// Frames of the sum that are heard from now on, behind the bus' effects: told every 20 ms, 50 ms after they
  /// were heard, or as they are pulled from an `OfflineBus`.
  ///
  /// Each caller has its own sequence, as those of `AudioRenderer.tap()`, which tell one voice each. The time of
  /// a buffer is that of the device's frames, which count from 0 with each device of another format: voices have
  /// media times of their own.
  public func tap() -> EventSequence<TappedAudio> {
    withLock {
      let tap = attachedTap ?? makeTap()
      attachedTap = tap
      return tap.listeners.subscribe()
    }
  }

  private func makeTap(
    listeners: EventSource<TappedAudio> = EventSource(limit: AudioTap.limit)
  ) -> AudioTap {
    let tap = AudioTap(
      format: device.format, length: device.traits.targetLength + Int64(mix.latency),
      isPulled: device.isPulled, listeners: listeners
    ) { [weak self] in self?.tellTap() }
    let heard = certainlyHeard
    if mix.transport != .stopped, heard < mix.end { record(heard..<mix.end, by: tap) }
    return tap
  }

  /// The device is given frames `range` of the sum, and nothing of what it had from there on is heard.
  ///
  /// With the device's lock held.
  func record(_ range: Range<StreamFrame>) {
    assertLocked()
    if let attachedTap { record(range, by: attachedTap) }
  }

  private func record(_ range: Range<StreamFrame>, by tap: AudioTap) {
    assertLocked()
    let piece = RenderMap.Piece(
      stream: 0, media: 0, rate: tap.format.sampleRate, isRunning: true, traversal: 0)
    tap.recorder.record(range, piece: piece) { mix.render(from: $1, frames: $2, into: $0) }
    tap.tick()
  }

  /// There is a device of another format, whose frames count from 0; the old one has played up to `end`.
  ///
  /// With the device's lock held.
  func tapDevice(after end: StreamFrame) {
    assertLocked()
    guard let old = attachedTap else { return }
    // The clock is the new device's by now.
    old.tell(before: end) { _ in nil }
    attachedTap = makeTap(listeners: old.listeners)
  }

  /// Tells what has been heard since the last time.
  func tellTap() {
    withLock {
      guard let tap = attachedTap else { return }
      guard tap.listeners.hasSubscribers else {
        attachedTap = nil
        return
      }
      tap.tell(before: device.tellableFrame, at: device.clock.hostTime(ofFrame:))
      if tap.recorder.isEmpty, mix.transport == .stopped { tap.rest() }
    }
  }
}
