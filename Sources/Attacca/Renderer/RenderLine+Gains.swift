// SPDX-License-Identifier: Apache-2.0

import MediaTime

// How loud it is heard.
extension RenderLine {
  // MARK: Volume

  /// From `k` on the user's gain goes to `gain` within `length` frames.
  mutating func setVolume(_ gain: Float, at k: StreamFrame, length: Int) {
    gains.setVolume(gain, at: transport == .running ? k : nil, length: length)
    if transport == .running { wrote(upTo: min(written, k)) }
  }

  /// From `k` on, or from where the line stands still, the user's gain goes to `gain` within `length`
  /// frames that are heard.
  mutating func fadeVolume(to gain: Float, at k: StreamFrame, length: Int) {
    gains.fadeVolume(to: gain, at: transport == .running ? k : nil, length: length)
    if transport == .running { wrote(upTo: min(written, k)) }
  }

  // MARK: Gains of the content

  /// Frames of the ramp by which the gain of content changes.
  private var rampLength: Int { AudioRenderer.volumeRamp * sampleRate / 1_000 }

  /// Content from timeline frame `gain.media` on has another gain.
  mutating func begin(_ gain: ContentGain) {
    anchor(at: gain.media)
    contentGains.begin(
      gain.key, at: offset + gain.media.number, factor: gain.factor, length: rampLength)
  }

  /// Content that is at `offset` from stream frame `k` on has the gains of `new`.
  mutating func begin(_ new: [ContentGain], at k: StreamFrame, offset: StreamFrame) {
    contentGains.truncate(at: k)
    let first = new.lastIndex { offset + $0.media.number <= k } ?? 0
    for gain in new[first...] {
      contentGains.begin(
        gain.key, at: max(k, offset + gain.media.number), factor: gain.factor, length: rampLength)
    }
  }

  /// From `k` on the gain of content that is meant goes to `factor`; at once where nothing is heard.
  mutating func setContentGain(
    _ factor: Float, at k: StreamFrame, where isMeant: (ContentKey) -> Bool
  ) {
    let isRunning = transport == .running
    contentGains.ramp(to: factor, at: isRunning ? k : nil, length: rampLength, where: isMeant)
    if isRunning { wrote(upTo: min(written, k)) }
  }
}
