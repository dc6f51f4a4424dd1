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

  /// Milliseconds in which volume and mute change: no step, no zipper noise.
  static let volumeRamp = 5

  /// Frames of the ramp by which the gain of content changes.
  private var rampLength: Int { Self.volumeRamp * sampleRate / 1_000 }

  /// Content from timeline frame `gain.media` on has another gain.
  mutating func begin(_ gain: ContentGain) {
    anchor(at: gain.media)
    contentGains.begin(
      gain, at: offset + gain.media.number, offset: offset, rate: rate, isReversed: isReversed,
      length: rampLength)
  }

  /// Content that is at `offset` from stream frame `k` on has the gains of `staged`.
  mutating func begin(_ staged: StagedFrames, at k: StreamFrame, offset: StreamFrame) {
    contentGains.truncate(at: k)
    let first = staged.gains.lastIndex { offset + $0.media.number <= k } ?? 0
    for gain in staged.gains[first...] {
      contentGains.begin(
        gain, at: max(k, offset + gain.media.number), offset: offset, rate: staged.rate,
        isReversed: staged.isReversed, length: rampLength)
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

  /// From `k` on the volume of content that is meant becomes that of `curve`; at once where nothing is heard.
  mutating func setContentVolume(
    _ curve: VolumeCurve?, at k: StreamFrame, where isMeant: (ContentKey) -> Bool
  ) {
    let isRunning = transport == .running
    contentGains.ramp(to: curve, at: isRunning ? k : nil, length: rampLength, where: isMeant)
    if isRunning { wrote(upTo: min(written, k)) }
  }

  /// From `k` on the volume of the timeline becomes that of `curve`; at once where nothing is heard.
  mutating func setTimelineVolume(_ curve: VolumeCurve?, at k: StreamFrame) {
    let isRunning = transport == .running
    volumes.set(curve, at: isRunning ? k : nil, length: rampLength, in: map)
    if isRunning { wrote(upTo: min(written, k)) }
  }

  // MARK: Crossfades

  /// Content from `k` on with its gains.
  func oldFrames(from k: StreamFrame, frames: Int) -> OldFrames {
    OldFrames(
      from: ring, at: contentFactors(from: k, frames: frames), from: k, frames: frames)
  }

  /// Has `frames` frames from `k` on bear their gains from here on, which is to be seen to, where there are any
  /// or the other content `isUnity` not.
  ///
  /// - Returns: a factor for each frame; none where they are 1 throughout.
  mutating func mix(from k: StreamFrame, frames: Int, isUnity: Bool) -> [Float] {
    let factors = contentFactors(from: k, frames: frames)
    if !isUnity || !factors.isEmpty { contentGains.mix(k..<(k + frames)) }
    return factors
  }

  /// Factors of content, by itself and by the timeline; none where they are 1 throughout.
  private func contentFactors(from k: StreamFrame, frames: Int) -> [Float] {
    guard !contentGains.isUnity || !volumes.isUnity else { return [] }
    return (0..<frames).map { n in
      let factor = contentGains.factor(at: k + n)
      let isMixed = contentGains.isMixed(at: k + n)
      return isMixed ? factor : factor * volumes.run(at: k + n, atMost: 1, in: map)[0]
    }
  }
}
