// SPDX-License-Identifier: Apache-2.0

import MediaTime

// What the line keeps.
extension RenderLine {
  /// Sees to it that the ring holds `frames` frames: slow speeds need more.
  mutating func reserve(_ frames: Int) { ring.reserve(frames) }

  /// Takes nothing from timeline frame `media` on of what is on its way, until other content replaces that.
  mutating func refuse(from media: TimelineFrame) { content.refuse(from: media) }

  /// Forgets what has been heard.
  mutating func heard(_ frame: StreamFrame) {
    guard transport == .running else { return }
    ring.discard(before: frame)
    if runsOn, !isFinished, ring.end < frame { ring.clear(at: frame) }
    gains.forget(before: frame)
    contentGains.forget(before: frame)
    volumes.forget(before: frame)
  }
}
