// SPDX-License-Identifier: Apache-2.0

extension RenderSynchronizer {
  /// The course of media time while it runs and nothing is enqueued for it: it holds unless this says otherwise.
  ///
  /// `.runsOn` is what `AVSampleBufferRenderSynchronizer` does: observers of times at the end of what is enqueued,
  /// and behind it, are called without `AudioRenderer.finishEnqueuing()`, a flush leaves the clock alone, and a
  /// buffer that comes late is heard from the first frame on that can still be. Its first frames fade in as the
  /// last start did. The device plays silence meanwhile, and does not sleep. `finishEnqueuing()` ends either.
  ///
  /// Where a player enqueues, media time holds.
  public var whenDry: DryPolicy {
    get { semaphore.withLock { options.whenDry } }
    set {
      changing.withLock {
        let renderers = semaphore.withLock {
          options.whenDry = newValue
          return storedRenderers
        }
        for renderer in renderers { renderer.setRunsOn(newValue == .runsOn) }
      }
      observers.timelineChanged()
    }
  }
}
